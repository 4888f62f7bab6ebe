import { describe, expect, it, vi } from 'vitest';
import { canonicalAddress } from '../../src/identity/email/address.ts';
import { doors } from '../flows/doors.ts';
import { mailScene } from '../flows/email-scene.ts';
import { leadsTo } from '../flows/scene.ts';

/** What may stand in an address: letters and digits of any script, marks, and what dot-atoms allow (RFC 5322 §3.2.3). */
const MAY_STAND = /^[\p{L}\p{N}\p{M}.!#$%&'*+/=?^_`{|}~-]*$/u;

/** Letters and digits that are something else once they are normalised: `⑴` is `(1)`, `﷽` is a sentence with blanks. */
function turning(): string[] {
  const found: string[] = [];
  for (let code = 0x80; code <= 0x10ffff; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    const letter = String.fromCodePoint(code);
    if (/[\p{L}\p{N}]/u.test(letter) && !MAY_STAND.test(letter.normalize('NFKC').toLowerCase())) found.push(letter);
  }
  return found;
}

const letters = turning();
const addresses = letters.flatMap((letter) => [
  `a${letter}b@example.com`,
  `ada@a${letter}b.com`,
  `${letter}@example.com`,
]);

describe('letters that turn into something else', () => {
  it('are there, so that the tests below could fail', () => expect(letters.length).toBeGreaterThan(50));

  it('stand in no address, wherever they are', () => {
    expect(addresses.filter((address) => canonicalAddress(address) !== undefined)).toEqual([]);
  });

  it.each(doors)('get no mail through $name', async (door) => {
    const app = mailScene(door, { rateLimit: false });
    for (let index = 0; index < addresses.length; index += 25) await app.ask(addresses[index]);
    expect(app.sent).toEqual([]);
    expect(app.store.tokens.size).toBe(0);
    await app.ask('ada@example.com');
    expect(app.sent).toHaveLength(1);
  });
});

describe.each(doors)('what is no text, through $name', (door) => {
  it.each<[unknown]>([
    [['ada@example.com']],
    [[['ada@example.com']]],
    [['ada@example.com', 'mallory@evil.example']],
    [{ toString: 'ada@example.com' }],
    [{ email: 'ada@example.com' }],
  ])('is no address, though it would read like one: %j', async (email) => {
    const app = mailScene(door);
    const { csrfToken } = (await app.browser.get('/auth/csrf')).json<{ csrfToken: string }>();
    const page = await app.browser.post('/auth/signin/mail', { csrfToken, email }, { json: true });
    expect(leadsTo(page)).toBe('/auth/signin?error=EmailSignin');
    expect(app.sent).toEqual([]);
    expect(app.store.calls).toEqual([]);
  });
});

describe.each(doors)('what is longer than any address, through $name', (door) => {
  it('is not looked into at all: neither normalised nor matched', async () => {
    const app = mailScene(door);
    const { csrfToken } = (await app.browser.get('/auth/csrf')).json<{ csrfToken: string }>();
    const lengths: number[] = [];
    const noted = vi.spyOn(String.prototype, 'normalize').mockImplementation(function (this: string) {
      lengths.push(this.length);
      return String(this);
    });
    try {
      for (const email of [`${'a'.repeat(200_000)}@example.com`, `a@${'a.'.repeat(90_000)}b`, '@'.repeat(60_000)]) {
        const page = await app.browser.post('/auth/signin/mail', { csrfToken, email });
        expect(leadsTo(page)).toBe('/auth/signin?error=EmailSignin');
      }
      expect(lengths).toEqual([]);
      await app.browser.post('/auth/signin/mail', { csrfToken, email: 'ada@example.com' });
      expect(lengths.length).toBeGreaterThan(0);
    } finally {
      noted.mockRestore();
    }
    expect(app.sent.map(({ identifier }) => identifier)).toEqual(['ada@example.com']);
  });
});
