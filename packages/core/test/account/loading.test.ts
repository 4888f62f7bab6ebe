import { describe, expect, it } from 'vitest';
import { loadedWith } from '../arrows/loaded.ts';

// The route table has the names of the parts.
const ofAccounts = (file: string): string[] =>
  loadedWith(file).filter((name) =>
    /(^|\/)account\/|actions\/account(?!-part-names)|mail\/security|session\/recent/.test(name),
  );

describe('the account', () => {
  it.each([
    ...['index.ts', 'auth.ts', 'binding.ts', 'jwt.ts', 'actions/session.ts', 'actions/pages.ts', 'actions/sign-in.ts'],
    ...['actions/oauth.ts', 'actions/email.ts', 'actions/code.ts', 'actions/credentials.ts', 'actions/webauthn.ts'],
    ...['actions/signout.ts', 'actions/sessions.ts', 'actions/failure.ts', 'session/jwt.ts', 'session/database.ts'],
  ])('is not loaded with %s', (file) => {
    expect(loadedWith(file).length).toBeGreaterThan(1);
    expect(ofAccounts(file)).toEqual([]);
  });

  it('is loaded with its actions, without the pages and mails that the request does not need', () => {
    expect(ofAccounts('actions/account.ts')).toContain('account/recent.ts');
    expect(ofAccounts('actions/account.ts')).not.toContain('account/notices.ts');
    expect(ofAccounts('account/unlink.ts')).toContain('mail/security.ts');
  });
});
