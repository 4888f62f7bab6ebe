import { ExpressAuth } from '@latchkey/express';
import type { Browser } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import { configuration, env, frameworks, serve } from './site.ts';

/** Sends a wrong password. */
async function fail(browser: Browser, name: string, headers: Record<string, string> = {}): Promise<number> {
  const { csrfToken } = (await browser.get('/auth/csrf')).json<{ csrfToken: string }>();
  return (await browser.post('/auth/callback/credentials', { csrfToken, name, password: 'x' }, { headers })).status;
}

describe.each(frameworks)('limits on attempts, %s', (_name, express) => {
  it('counts the network according to `trust proxy`', async () => {
    const config = configuration({ rateLimit: { network: { limit: 1 } } });
    const app = express().set('trust proxy', 1).use('/auth', ExpressAuth(config, env));
    const { browser } = await serve(app);
    expect(await fail(browser, 'a', { 'x-forwarded-for': '203.0.113.7' })).toBe(302);
    expect(await fail(browser, 'b', { 'x-forwarded-for': '6.6.6.6, 203.0.113.7' })).toBe(429);
    expect(await fail(browser, 'c', { 'x-forwarded-for': '203.0.113.8' })).toBe(302);
  });

  it('does not count visitors behind an unknown proxy on the same machine', async () => {
    const config = configuration({ rateLimit: { network: { limit: 1 } } });
    const { browser } = await serve(express().use('/auth', ExpressAuth(config, env)));
    for (const name of ['a', 'b', 'c']) {
      expect(await fail(browser, name, { 'x-forwarded-for': '203.0.113.7' })).toBe(302);
    }
  });
});
