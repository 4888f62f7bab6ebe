import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { signedIn } from './kit/journey.ts';
import { config, fakeProvider, logged, play } from './kit/scene.ts';
import { app, type Kit, startKit } from './kit/server.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await startKit(app);
});
beforeEach(() => play(config()));

const SESSION = 'authjs.session-token';
const right = { password: 'right' };
const evil = { site: 'cross-site', initiator: 'https://evil.test' } as const;
/** An origin that Kit trusts, which is like no check. */
const trusted = { site: 'cross-site', initiator: 'https://trusted-idp.test' } as const;

/** Posts that a browser sends across sites without a preflight. */
const attacks: [name: string, options: object][] = [
  ['of another site, which Kit refuses', evil],
  ['of a site that Kit lets pass', trusted],
  ['of a site that Kit lets pass, from an older browser', { ...trusted, headers: { 'sec-fetch-site': '' } }],
  [
    'of a sandboxed frame, with a type that Kit does not look at',
    { initiator: 'null', headers: { 'sec-fetch-site': '', 'content-type': 'application/json' }, json: true },
  ],
  [
    'of a sibling, with a type that Kit does not look at',
    { initiator: 'http://sibling.localhost', headers: { 'sec-fetch-site': 'same-site' }, json: true },
  ],
];

describe('without a token', () => {
  it('forms and scripts of this site are accepted', async () => {
    const browser = kit.browser();
    const page = await browser.post('/shop/auth/callback/credentials', right);
    expect(page.cookie(SESSION)).toBeDefined();
    expect(page.cookie('authjs.revision')).toBeDefined();
    expect((await browser.post('/shop/auth/session', { data: {} }, { json: true })).json()).toMatchObject({ user: {} });
    expect((await browser.post('/shop/auth/signout')).cookie(SESSION)?.value).toBe('');
  });

  it('clients other than browsers are accepted', async () => {
    const client = kit.browser({ sendMetadata: false });
    const page = await client.post('/shop/auth/callback/credentials', right, { json: true });
    expect(page.cookie(SESSION)).toBeDefined();
  });

  it.each(attacks)('a sign-in %s is refused', async (_name, options) => {
    const page = await kit.browser().post('/shop/auth/callback/credentials', right, options);
    expect(page.cookie(SESSION)).toBeUndefined();
    if (page.status !== 403) expect(page.location).toBe('http://localhost:3000/shop/auth/signin?error=MissingCSRF');
  });

  it.each(attacks)('a sign-in by a form action %s is refused', async (_name, options) => {
    const page = await kit.browser().post('/shop/signin?/plain', { ...right, providerId: 'credentials' }, options);
    expect([page.cookie(SESSION), page.location]).toEqual([undefined, undefined]);
    // The library refuses the forms that Kit accepts, and logs the refusal.
    if (page.status >= 500) expect(logged).toEqual(['MissingCSRF']);
    else expect([403, 415]).toContain(page.status);
  });

  it.each(attacks)('a sign-out or an update by a form action %s is refused', async (_name, options) => {
    const browser = await signedIn(kit.browser());
    for (const path of ['/shop/signout?/plain', '/shop/update']) {
      const page = await browser.post(path, {}, options);
      expect([page.cookie(SESSION), page.status >= 400]).toEqual([undefined, true]);
    }
    expect(browser.cookies.get(SESSION)).toBeDefined();
  });

  it.each(attacks)('a sign-out %s is refused', async (_name, options) => {
    const browser = await signedIn(kit.browser());
    const page = await browser.post('/shop/auth/signout', {}, options);
    expect(page.cookie(SESSION)).toBeUndefined();
    expect(browser.cookies.get(SESSION)).toBeDefined();
  });
});

describe('a sign-in at a provider', () => {
  it.each([
    ['our handler', '/shop/auth/signin/fake', {}],
    ['a form action', '/shop/signin?/plain', { providerId: 'fake' }],
  ])('belongs to its browser: its cookies do not work in another one (begun by %s)', async (_by, path, fields) => {
    const fake = fakeProvider();
    play(config({ providers: [fake.provider()] }));
    const mallory = kit.browser();
    const begun = await mallory.post(path, fields);
    const back = await fake.authorize(begun.location ?? '', { user: { sub: 'mallory' } });
    for (const visits of [[], ['/shop/', '/shop/auth/signin']]) {
      const victim = kit.browser();
      for (const page of visits) await victim.get(page);
      for (const name of ['authjs.state', 'authjs.pkce.code_verifier', 'authjs.nonce']) {
        const value = mallory.cookies.get(name)?.value;
        if (value !== undefined) victim.cookies.set(name, value, { domain: 'localhost' });
      }
      const page = await victim.get(back, { site: 'cross-site' });
      expect(page.location).toBe('http://localhost:3000/shop/auth/signin?error=InvalidCheck&provider=fake');
      expect((await victim.get('/shop/auth/session')).json()).toBeNull();
    }
    expect([fake.count('token'), logged]).toEqual([0, ['InvalidCheck', 'InvalidCheck']]);
    expect((await mallory.get(back, { site: 'cross-site' })).cookie(SESSION)).toBeDefined();
  });
});

describe('a provider that posts its answer from its own site', () => {
  const formPost = { authorization: { params: { response_mode: 'form_post', scope: 'openid email' } } };

  async function comeBack(issuer: string) {
    const fake = fakeProvider(issuer);
    play(config({ providers: [fake.provider(formPost)] }));
    const browser = kit.browser();
    const begun = await browser.post('/shop/auth/signin/fake', { callbackUrl: '/shop/private' });
    const { action, fields } = await fake.authorizeForm(begun.location ?? '');
    const posted = await browser.post(action, fields, { site: 'cross-site', initiator: fake.issuer });
    return { browser, posted };
  }

  it('signs in if Kit trusts it', async () => {
    const { browser, posted } = await comeBack('https://trusted-idp.test');
    const page = await browser.follow(posted);
    expect(page.location).toBe('http://localhost:3000/shop/private');
    expect((await browser.get('/shop/private')).text()).toContain('ada@example.com');
    expect(logged).toEqual([]);
  });

  it('is refused by Kit otherwise, before the hook runs', async () => {
    const { browser, posted } = await comeBack('https://other-idp.test');
    expect([posted.status, posted.text()]).toEqual([403, 'Cross-site POST form submissions are forbidden']);
    expect((await browser.get('/shop/auth/session')).json()).toBeNull();
  });
});
