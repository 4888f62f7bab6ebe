import { describe, expect, it } from 'vitest';
import { loadedWith } from '../arrows/loaded.ts';

const ofMails = (file: string): string[] =>
  loadedWith(file).filter((name) => /email|mail\.ts|actions.code|verify-request|agent/.test(name));

describe('sign-in by mail', () => {
  it.each(['index.ts', 'auth.ts', 'binding.ts', 'actions/session.ts', 'actions/pages.ts', 'actions/sign-in.ts'])(
    'is not loaded with %s',
    // Every sign-in may store a user of an address.
    (file) => expect(ofMails(file).filter((name) => name !== 'linking/mail.ts')).toEqual([]),
  );

  it('is loaded with its actions', () => {
    expect(ofMails('actions/email.ts').length).toBeGreaterThan(6);
    expect(ofMails('actions/code.ts')).not.toContain('actions/email.ts');
  });
});
