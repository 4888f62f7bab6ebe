import { memoryAdapter } from '@latchkey/testing';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { change, makeSite } from '../account/scene.ts';
import { oneDoor } from '../flows/doors.ts';
import { mailScene } from '../flows/email-scene.ts';
import { startsSession } from '../flows/scene.ts';
import { csrfTokenOf, site } from './site.ts';

/**
 * Combining marks in two orders. Unicode normalization sorts them in a time that grows with the square of their number:
 * 100,000 of them take ten seconds, in which the process answers nothing else.
 */
const MARKS = `a${'\u0301'.repeat(50_000)}${'\u0316'.repeat(50_000)}`;

/** Characters of the longest text that may be normalized. */
const LONGEST = 1024;

/** The lengths of the texts that are normalized. Long ones are returned as they are: a failing test has to be quick. */
function normalizedLengths(): number[] {
  const lengths: number[] = [];
  const { normalize } = String.prototype;
  vi.spyOn(String.prototype, 'normalize').mockImplementation(function (this: string, form?: string) {
    lengths.push(this.length);
    return this.length > LONGEST ? String(this) : normalize.call(this, form);
  });
  return lengths;
}

afterEach(() => void vi.restoreAllMocks());

describe('a text of 100,000 combining marks is not normalized', () => {
  it('if it is typed to delete an account', async () => {
    const app = makeSite('database');
    await app.signIn();
    const lengths = normalizedLengths();
    const csrfToken = await app.csrfToken();
    const page = await app.browser.post('/auth/account/delete', { csrfToken, confirm: MARKS }, { json: true });
    expect(page.location).toContain('error=BadRequest');
    expect(lengths.length).toBeGreaterThan(0);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(LONGEST);
  });
});

describe('the name of a user', () => {
  it.each([
    [1024, 200],
    [1025, 400],
  ])('of %i characters, typed in lower case to delete the account, gets status %i', async (length, status) => {
    const app = makeSite('database');
    const name = 'A'.repeat(length);
    await app.signIn({ consent: { user: { sub: 'ada', email: 'ada@example.com', email_verified: true, name } } });
    expect(app.adapter.dump().users).toMatchObject([{ name }]);
    expect((await change(app, 'delete', { confirm: name.toLowerCase() })).status).toBe(status);
  });
});

describe.each(oneDoor)('a text of 100,000 combining marks is not normalized, through $name,', (door) => {
  it.each([undefined, 'allow'] as const)('if it is the address of a profile (unverifiedEmail: %s)', async (own) => {
    const { app, fake } = site(door, { unverifiedEmail: own }, { adapter: memoryAdapter() });
    const lengths = normalizedLengths();
    for (const sub of ['eve', 'mallory']) {
      const consent = { user: { sub, email: `${MARKS}@evil.example`, email_verified: true } };
      const page = await app.signIn(fake, { browser: app.visitor(), consent });
      expect(startsSession(page), sub).toBe(own === 'allow' && sub === 'eve');
    }
    expect(Math.max(0, ...lengths)).toBeLessThanOrEqual(LONGEST);
  });

  it('by `normalizeIdentifier`, which does not receive it', async () => {
    const normalizeIdentifier = vi.fn((typed: string) => typed.normalize('NFKC'));
    const app = mailScene(door, {}, { provider: { normalizeIdentifier } });
    const csrfToken = await csrfTokenOf(app.browser);
    const page = await app.browser.post('/auth/signin/mail', { csrfToken, email: MARKS }, { json: true });
    expect(page.location).toContain('error=EmailSignin');
    expect(normalizeIdentifier).not.toHaveBeenCalled();
  });
});
