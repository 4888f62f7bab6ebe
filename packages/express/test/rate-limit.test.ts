import { ExpressAuth } from '@latchkey/express';
import type { Browser } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import { configuration, env, frameworks, serve } from './site.ts';

/** Types a wrong password. */
async function fail(browser: Browser, name: string, headers: Record<string, string> = {}): Promise<number> {
  const { csrfToken } = (await browser.get('/auth/csrf')).json<{ csrfToken: string }>();
  return (await browser.post('/auth/callback/credentials', { csrfToken, name, password: 'x' }, { headers })).status;
}

describe.each(frameworks)('limits on attempts, %s', (_name, express) => {
  it('answers 429 with Retry-After and the sign-in page after twenty wrong passwords', async () => {
    const { browser } = await serve(express().use('/auth', ExpressAuth(configuration(), env)));
    for (let time = 0; time < 20; time++) expect(await fail(browser, 'Ada')).toBe(302);
    const page = await browser.get('/auth/signin');
    const late = await browser.submit(browser.form(page, 'callback/credentials'), {
      name: 'Ada',
      password: 'password',
    });
    expect([late.status, Number(late.headers.get('retry-after')) > 0]).toEqual([429, true]);
    expect(late.text()).toContain('That was tried too often.');
    expect((await browser.get('/auth/session')).json()).toBeNull();
  });

  it('counts the network that `trust proxy` tells', async () => {
    const config = configuration({ rateLimit: { network: { limit: 1 } } });
    const app = express().set('trust proxy', 1).use('/auth', ExpressAuth(config, env));
    const { browser } = await serve(app);
    expect(await fail(browser, 'a', { 'x-forwarded-for': '203.0.113.7' })).toBe(302);
    expect(await fail(browser, 'b', { 'x-forwarded-for': '6.6.6.6, 203.0.113.7' })).toBe(429);
    expect(await fail(browser, 'c', { 'x-forwarded-for': '203.0.113.8' })).toBe(302);
  });

  it('does not block everybody behind a proxy on the same machine that nobody has told of', async () => {
    const config = configuration({ rateLimit: { network: { limit: 1 } } });
    const { browser } = await serve(express().use('/auth', ExpressAuth(config, env)));
    for (const name of ['a', 'b', 'c']) {
      expect(await fail(browser, name, { 'x-forwarded-for': '203.0.113.7' })).toBe(302);
    }
  });

  it('counts the network that `trustedProxyHops` tells, whatever Express says', async () => {
    const config = configuration({ rateLimit: { network: { limit: 1 }, trustedProxyHops: 1 } });
    const app = express().set('trust proxy', true).use('/auth', ExpressAuth(config, env));
    const { browser } = await serve(app);
    expect(await fail(browser, 'a', { 'x-forwarded-for': '6.6.6.6, 203.0.113.7' })).toBe(302);
    expect(await fail(browser, 'b', { 'x-forwarded-for': '7.7.7.7, 203.0.113.7' })).toBe(429);
  });
});
