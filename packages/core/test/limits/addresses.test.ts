import { describe, expect, it } from 'vitest';
import { leadsTo } from '../flows/scene.ts';
import { mailSite, passkeySite } from '../spec/site.ts';
import { edge, text } from './edges.ts';

const SENT = '/auth/verify-request?provider=mail&type=email';
const REFUSED = '/auth/signin?error=EmailSignin';

describe('an address', () => {
  const cases: [what: string, limit: number, make: (length: number) => string][] = [
    ['characters as it is typed, blanks too', 320, (length) => 'ada@example.com'.padEnd(length)],
    ['octets before the @', 64, (length) => `${text(length)}@example.com`],
    ['octets in all', 254, (length) => `a@${[50, 50, 50, 50].map(text).join('.')}.${text(length - 2 - 4 * 51)}`],
    ['characters in a label', 63, (length) => `ada@${text(length)}.example`],
  ];
  it.each(cases)('may have no more %s than %i', async (_, limit, make) => {
    const app = mailSite();
    const [most, more] = edge(limit).map(make) as [string, string];
    expect(leadsTo(await app.ask(most))).toBe(SENT);
    expect(leadsTo(await app.ask(more))).toBe(REFUSED);
  });

  it('counts its octets, not its characters', async () => {
    const app = mailSite();
    expect(leadsTo(await app.ask(`${'ü'.repeat(32)}@example.com`))).toBe(SENT);
    expect(leadsTo(await app.ask(`${'ü'.repeat(32)}a@example.com`))).toBe(REFUSED);
  });

  it('of the application’s own kind has 320 characters at most', async () => {
    const app = mailSite({}, { provider: { normalizeIdentifier: (typed) => typed } });
    expect(leadsTo(await app.ask(text(320)))).toBe(SENT);
    expect(leadsTo(await app.ask(text(321)))).toBe(REFUSED);
  });
});

describe('what a browser tells of a passkey', () => {
  it('is kept up to eight ways to reach it, each of 32 characters at most', async () => {
    const app = passkeySite();
    const ways = Array.from({ length: 9 }, (_, index) => `${text(30)}-${'abcdefghi'[index]}`);
    await app.register('ada@example.com', { lies: { transports: [`${text(33)}`, ...ways] } });
    const [stored] = app.adapter.dump().authenticators;
    expect(stored?.transports?.split(',')).toEqual(ways.slice(0, 8));
  });
});
