import { describe, expect, it } from 'vitest';
import { mailScene } from '../flows/email-scene.ts';
import { leadsTo } from '../flows/scene.ts';
import { burst, door, MINUTES, statuses, times } from './scene.ts';

describe('sign-in mails', () => {
  it('are five to one address in 15 minutes; then the answer is 429, and nothing is mailed or stored', async () => {
    const app = mailScene(door);
    for (let time = 0; time < 5; time++) await app.ask('ada@example.com');
    app.store.forget();
    expect((await app.ask('ada@example.com')).status).toBe(429);
    expect(app.sent).toHaveLength(5);
    expect(app.store.names()).not.toContain('createVerificationToken');
    app.clock.advance(15 * MINUTES);
    expect(leadsTo(await app.ask('ada@example.com'))).toContain('/auth/verify-request');
    expect(app.sent).toHaveLength(6);
  });

  it('that are asked for at once are never one more than the limit', async () => {
    const app = mailScene(door);
    const pages = await burst(
      app,
      'signin/mail',
      times(200, () => ({ email: 'ada@example.com' })),
    );
    expect(statuses(pages)).toEqual({ 302: 5, 429: 195 });
    expect(app.sent).toHaveLength(5);
  });

  it('to one mailbox are counted together, however it is spelt', async () => {
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

  it('count alike for addresses of users and of nobody: the answer tells nothing', async () => {
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
    expect(await answers('ada@example.com')).toEqual(await answers('nobody@example.com'));
  });

  it('count when they are refused by the application, or could not be sent', async () => {
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

  it('are not limited with `email: false`, and with `false`', async () => {
    for (const rateLimit of [false, { email: false }] as const) {
      const app = mailScene(door, { rateLimit });
      for (let time = 0; time < 8; time++) await app.ask('ada@example.com');
      expect(app.sent).toHaveLength(8);
    }
  });
});
