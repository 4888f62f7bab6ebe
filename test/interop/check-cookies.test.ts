import { describe, expect, it } from 'vitest';
import { idpConfig, latchkey } from '../peers/libraries.ts';
import { crossings, makeSite } from './servers.ts';

const kinds = [['pkce'], ['state'], ['nonce'], ['pkce', 'state'], ['pkce', 'state', 'nonce']].map((checks) => ({
  checks,
}));

describe.each(crossings)('a sign-in $title', ({ from, to }) => {
  it.each(kinds)('with the checks $checks ends in a session', async ({ checks }) => {
    const site = makeSite({ provider: { checks } });
    site.use(from);
    const redirect = await site.begin();
    site.use(to);
    const landed = await site.comeBack(redirect);
    expect(landed.location).toBe('http://localhost:3000/inside');
    expect(await site.session()).toMatchObject({ user: { name: 'Ada Lovelace', email: 'ada@example.com' } });
    expect(site.browser.rejected).toEqual([]);
  });

  it("without checks ends in a session, unless Latchkey's state is missing", async () => {
    const site = makeSite({ provider: { checks: ['none'] } });
    site.use(from);
    const redirect = await site.begin();
    site.use(to);
    const landed = await site.comeBack(redirect);
    if (from === latchkey) expect(landed.location).toBe('http://localhost:3000/inside');
    else expect(landed.location).toContain('/auth/signin?error=InvalidCheck');
  });

  it('on https ends in a session', async () => {
    const site = makeSite({ origin: 'https://app.test', provider: { checks: ['pkce', 'state', 'nonce'] } });
    site.use(from);
    const redirect = await site.begin();
    site.use(to);
    expect((await site.comeBack(redirect)).location).toBe('https://app.test/inside');
    expect(await site.session()).toMatchObject({ user: { email: 'ada@example.com' } });
    expect(site.browser.rejected).toEqual([]);
  });

  it('under cookie names that the application chose ends in a session', async () => {
    const cookies = {
      pkceCodeVerifier: { name: 'app.pkce' },
      state: { name: 'app.state', options: { sameSite: 'lax', path: '/auth' } },
      sessionToken: { name: 'app.session' },
    };
    const site = makeSite({ provider: { checks: ['pkce', 'state'] }, config: { cookies } });
    site.use(from);
    const redirect = await site.begin();
    expect(site.browser.cookies.has('app.pkce')).toBe(true);
    site.use(to);
    await site.comeBack(redirect);
    expect(site.browser.cookies.has('app.session')).toBe(true);
    expect(await site.session()).toMatchObject({ user: { email: 'ada@example.com' } });
  });

  it('while the secret is being changed ends in a session', async () => {
    const [before, after] = ['the secret of yesterday, 32 characters', 'the secret of today, also 32 chars..'];
    const site = makeSite({
      provider: { checks: ['pkce', 'state'] },
      config: (library) => ({ secret: library === from ? before : [after, before] }),
    });
    site.use(from);
    const redirect = await site.begin();
    site.use(to);
    expect((await site.comeBack(redirect)).location).toBe('http://localhost:3000/inside');
    expect(await site.session()).toMatchObject({ user: { email: 'ada@example.com' } });
  });

  it('takes the check cookies out of the browser', async () => {
    const site = makeSite({ provider: { checks: ['pkce', 'state', 'nonce'] } });
    site.use(from);
    const redirect = await site.begin();
    const checks = ['authjs.state', 'authjs.pkce.code_verifier', 'authjs.nonce'];
    for (const name of checks) expect(site.browser.cookies.has(name)).toBe(true);
    site.use(to);
    await site.comeBack(redirect);
    for (const name of checks) expect(site.browser.cookies.has(name)).toBe(false);
  });

  it('ends without a session when the check cookie is for another provider', async () => {
    const site = makeSite({
      config: (library, provider) => ({
        providers: ['idp', 'other'].map((id) => idpConfig(library, provider, { id, checks: ['pkce', 'state'] })),
      }),
    });
    site.use(from);
    const redirect = await site.begin();
    site.use(to);
    const back = new URL(await site.provider.authorize(redirect.location ?? ''));
    back.pathname = '/auth/callback/other';
    const refused = await site.browser.get(back, { site: 'cross-site' });
    expect(refused.location).toContain('error=');
    expect(site.provider.count('token')).toBe(0);
    expect(await site.session()).toBeNull();
  });
});
