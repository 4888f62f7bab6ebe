import { describe, expect, it } from 'vitest';
import { changed, mailScene } from '../flows/email-scene.ts';
import { leadsTo } from '../flows/scene.ts';
import { burst, door, MINUTES, statuses, times } from './scene.ts';

describe('sign-in mails', () => {
  it('are five to one address in 15 minutes; then the status is 429, and no mail is sent or stored', async () => {
    const app = mailScene(door);
    for (let time = 0; time < 5; time++) await app.ask('ada@example.com');
    app.store.forget();
    expect((await app.ask('ada@example.com')).status).toBe(429);
    expect(app.sent).toHaveLength(5);
    expect(app.store.names()).not.toContain('createVerificationToken');
    app.clock.advance(15 * MINUTES - 0.001);
    expect((await app.ask('ada@example.com')).status).toBe(429);
    app.clock.advance(0.001);
    expect(leadsTo(await app.ask('ada@example.com'))).toContain('/auth/verify-request');
    expect(app.sent).toHaveLength(6);
  });

  it('never exceed the limit if they are requested simultaneously', async () => {
    const app = mailScene(door);
    const pages = await burst(
      app,
      'signin/mail',
      times(200, () => ({ email: 'ada@example.com' })),
    );
    expect(statuses(pages)).toEqual({ 302: 5, 429: 195 });
    expect(app.sent).toHaveLength(5);
  });

  it('to one mailbox are counted together in all spellings', async () => {
    const app = mailScene(door);
    const spellings = [
      'ada@example.com',
      ' ADA@Example.com',
      'ada+1@example.com',
      'a.d.a@example.com',
      'ａda@example.com',
    ];
    for (const email of spellings) await app.ask(email);
    expect(app.sent).toHaveLength(5);
    expect((await app.ask('ada+other@example.com')).status).toBe(429);
    expect((await app.ask('grace@example.com')).status).toBe(302);
  });

  it('are counted in the same way for known and unknown addresses', async () => {
    const app = mailScene(door);
    await app.open(await app.link('ada@example.com'));
    const browser = app.visitor();
    const answers = async (email: string) => {
      const seen: unknown[] = [];
      for (let time = 0; time < 6; time++) {
        const page = await app.ask(email, {}, browser);
        seen.push([page.status, page.location, page.headers.get('retry-after')]);
      }
      return seen;
    };
    app.clock.advance(15 * MINUTES);
    expect(await answers('ada@example.com')).toEqual(await answers('unknown@example.com'));
  });

  it('count if the application refuses them, or if they could not be sent', async () => {
    const refused = mailScene(door, { callbacks: { signIn: () => false } });
    for (let time = 0; time < 5; time++) await refused.ask('ada@example.com');
    expect((await refused.ask('ada@example.com')).status).toBe(429);
    const sendVerificationRequest = (): never => {
      throw new Error('down');
    };
    const failing = mailScene(door, {}, { provider: { sendVerificationRequest } });
    for (let time = 0; time < 5; time++) await failing.ask('grace@example.com');
    expect((await failing.ask('grace@example.com')).status).toBe(429);
  });

  it('do not count for links that are used', async () => {
    const app = mailScene(door);
    const links = [];
    for (let time = 0; time < 5; time++) links.push(await app.link('ada@example.com'));
    for (const link of links) expect(leadsTo(await app.open(link))).toBe('/in');
  });

  it('are not limited with `email: false` or `false`', async () => {
    for (const rateLimit of [false, { email: false }] as const) {
      const app = mailScene(door, { rateLimit });
      for (let time = 0; time < 8; time++) await app.ask('ada@example.com');
      expect(app.sent).toHaveLength(8);
    }
  });
});

describe('wrong short tokens of mailed links', () => {
  const codes = { provider: { generateVerificationToken: () => '123456' } };
  const guess = (link: string, code: string): string => changed(link, { token: code });

  it('are ten for one address in 15 minutes; then a right one is refused, too, and is not spent', async () => {
    const app = mailScene(door, {}, codes);
    const link = await app.link('ada@example.com');
    const refused: number[] = [];
    for (let code = 0; code < 12; code++)
      refused.push((await app.open(guess(link, `${code}`.padStart(6, '0')), app.visitor())).status);
    expect(refused).toEqual([...Array<number>(10).fill(302), 429, 429]);
    expect((await app.open(link)).status).toBe(429);
    const others = await app.link('bob@example.com');
    expect(leadsTo(await app.open(others, app.visitor()))).toBe('/in');
    app.clock.advance(15 * MINUTES);
    expect(leadsTo(await app.open(link))).toBe('/in');
  });

  it('do not count if they are right, if the token is long, or without limits', async () => {
    const app = mailScene(door, { rateLimit: { email: { limit: 100 } } }, codes);
    for (let time = 0; time < 12; time++)
      expect(leadsTo(await app.open(await app.link('ada@example.com'), app.visitor()))).toBe('/in');
    for (const [config, own, token] of [
      [{}, codes, 'f'.repeat(16)],
      [{}, {}, 'f'],
      [{ rateLimit: false }, codes, 'f'],
      [{ rateLimit: { email: false } }, codes, 'f'],
    ] as const) {
      const site = mailScene(door, config, own);
      const link = await site.link('eve@example.com');
      for (let time = 0; time < 12; time++)
        expect(leadsTo(await site.open(guess(link, token), site.visitor()))).toBe('/auth/error?error=Verification');
    }
  });
});
