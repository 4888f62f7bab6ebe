import { fileURLToPath } from 'node:url';
import type { Browser, Page } from '@latchkey/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { secret } from '../site.ts';
import { build, type Served, serve, typeFaults } from './next-application.ts';
import { browse, shown, submit } from './visit.ts';

const application = {
  folder: fileURLToPath(new URL('../apps/shop', import.meta.url)),
  next: fileURLToPath(new URL('../../../../node_modules/next', import.meta.url)),
};
const toPage = { until: 'page' } as const;
const ada = { name: 'Ada', password: 'password' };
const box: { served?: Served } = {};
const served = (): Served => box.served as Served;

beforeAll(async () => {
  // The build does not see the settings that the application needs to run.
  await build(application);
  box.served = await serve(application, { AUTH_SECRET: secret, AUTH_TRUST_HOST: 'true' });
});
afterAll(() => box.served?.stop());

/** A visitor who has signed in by a server action. */
async function signedIn(origin?: string) {
  const browser = browse(served(), origin);
  await submit(browser, '/shop/desk/', 'enter', ada);
  return browser;
}

it('the types of the application hold', async () => {
  expect(await typeFaults(application.folder)).toBe('');
});

describe('an application below a path, with trailing slashes', () => {
  it('guards, signs in by the built-in page, and comes back', async () => {
    const browser = browse(served());
    const page = await browser.follow(await browser.get('/shop/private/?a=1'), toPage);
    expect(new URL(page.url).pathname).toBe('/shop/api/auth/signin/');
    const form = browser.form(page, 'callback/credentials');
    const back = await browser.follow(await browser.submit(form, ada), toPage);
    expect(back.text()).toContain('private goods');
    expect(new URL(back.url)).toMatchObject({ pathname: '/shop/private/', search: '?a=1' });
  });

  it('sends a visitor without a callback URL to its first page', async () => {
    const browser = browse(served());
    const page = await browser.follow(await browser.get('/shop/api/auth/signin'), toPage);
    const back = await browser.follow(await browser.submit(browser.form(page, 'callback/credentials'), ada), toPage);
    expect(new URL(back.url).pathname).toMatch(/^\/shop\/?$/);
    expect(shown(back, 'session')).toEqual({ user: { name: 'Ada' }, expires: expect.any(String), role: 'buyer' });
  });

  it("behind a proxy the visitor stays on the visitor's own origin", async () => {
    const browser = browse(served(), 'https://shop.example');
    const sent = await browser.get('/shop/private/');
    expect(sent.redirect?.origin).toBe('https://shop.example');
    expect(sent.redirect?.searchParams.get('callbackUrl')).toBe('https://shop.example/shop/private/');
    const page = await browser.follow(sent, toPage);
    const back = await browser.follow(await browser.submit(browser.form(page, 'callback/credentials'), ada), toPage);
    expect(back.url).toBe('https://shop.example/shop/private/');
    expect(browser.cookies.has('__Secure-authjs.session-token')).toBe(true);
    expect(browser.rejected).toEqual([]);
  });
});

describe('server actions', () => {
  it('sign in, and out', async () => {
    const browser = browse(served());
    const entered = await submit(browser, '/shop/desk/', 'enter', ada);
    expect(entered.redirect?.pathname).toMatch(/^\/shop\/private\/?$/);
    expect((await browser.follow(entered, toPage)).text()).toContain('private goods');
    const revision = browser.cookies.get('authjs.revision')?.value;
    const left = await submit(browser, '/shop/desk/', 'leave');
    expect(left.redirect?.pathname).toMatch(/^\/shop\/still\/?$/);
    expect(browser.cookies.has('authjs.session-token')).toBe(false);
    expect(browser.cookies.get('authjs.revision')?.value).not.toBe(revision);
    expect((await browser.get('/shop/private/')).status).toBe(307);
  });

  it('receive an error for wrong passwords', async () => {
    const browser = browse(served());
    const refused = await submit(browser, '/shop/desk/', 'enter', { ...ada, password: 'wrong' });
    expect(refused.redirect?.searchParams.get('error')).toBe('CredentialsSignin');
    expect(browser.cookies.has('authjs.session-token')).toBe(false);
    expect(browser.cookies.has('authjs.revision')).toBe(false);
  });

  it('see the new session at once', async () => {
    const browser = browse(served());
    const { redirect } = await submit(browser, '/shop/desk/', 'enterAndLook', ada);
    expect(redirect?.searchParams.get('sees')).toBe('Ada');
    expect(new URL(redirect?.searchParams.get('to') ?? '').pathname).toBe('/shop/private');
  });

  it('update the session', async () => {
    const browser = await signedIn();
    const { redirect } = await submit(browser, '/shop/desk/', 'rename', { name: 'Grace' });
    expect(redirect?.searchParams.get('sees')).toBe('Grace');
    expect(shown(await browser.get('/shop/'), 'session')).toMatchObject({ user: { name: 'Grace' } });
  });

  it('sign in with a configuration that is a function', async () => {
    const browser = browse(served());
    const entered = await submit(browser, '/shop/desk/', 'enterLazily', ada);
    expect((await browser.follow(entered, toPage)).text()).toContain('private goods');
  });
});

describe('route handlers that sign in', () => {
  const elsewhere = { site: 'cross-site', initiator: 'https://evil.example' } as const;

  it('accept the forms of the application', async () => {
    const browser = browse(served());
    expect((await browser.post('/shop/enter/', ada)).status).toBe(200);
    expect(browser.cookies.has('authjs.session-token')).toBe(true);
  });

  it.each([
    ['another site', elsewhere],
    ['a sibling', { site: 'same-site', initiator: 'http://sibling.localhost' } as const],
    ['another site, in an older browser', { ...elsewhere, headers: { 'sec-fetch-site': '' } }],
  ])('refuse forms of %s', async (_who, options) => {
    const browser = browse(served());
    const page = await browser.post('/shop/enter/', ada, options);
    expect([page.status, page.json()]).toEqual([403, { error: 'MissingCSRF' }]);
    expect(browser.cookies.has('authjs.session-token')).toBe(false);
  });

  it('may be where a link of another site leads', async () => {
    const browser = browse(served());
    expect((await browser.get(`/shop/enter/?${new URLSearchParams(ada)}`, elsewhere)).status).toBe(200);
    expect(browser.cookies.has('authjs.session-token')).toBe(true);
  });
});

describe('the page of the application for mails', () => {
  const path = '/shop/check-mail/';
  const requested = `?provider=mail&type=email&code=1`;

  /** A visitor who has requested a mail by a server action, and sees the page. */
  async function asked(email: string) {
    const browser = browse(served());
    const page = await browser.follow(await submit(browser, path, 'ask', { email }), toPage);
    const code = new RegExp(`the code of ${email} is (\\d{8})`).exec(served().log())?.[1] ?? expect.unreachable();
    return { browser, page, code };
  }
  const facts = (page: Page) => shown(page, 'facts');

  it('shows the mail, and signs in by its code', async () => {
    const { browser, page, code } = await asked('ada@example.com');
    expect(new URL(page.url)).toMatchObject({ pathname: path, search: requested });
    const time = expect.stringMatching(/^\d{4}-.*Z$/);
    const mail = { email: 'ada@example.com', code: true, sentAt: time, resendAt: time, expires: time };
    expect(facts(page)).toEqual({ mail, other: null, error: null, session: null });

    const refused = await browser.follow(await submit(browser, path, 'enter', { code: 'wrong' }), toPage);
    expect(facts(refused)).toMatchObject({ mail, error: 'Verification', session: null });
    expect((await submit(browser, path, 'again')).redirect?.search).toBe(requested);

    const done = await browser.follow(await submit(browser, path, 'enter', { code }), toPage);
    expect(new URL(done.url)).toMatchObject({ pathname: path, search: '?arrived=yes' });
    expect(facts(done)).toMatchObject({ mail: null, session: { user: { email: 'ada@example.com' } } });
  });

  it('receives the address with `redirect: false`, and sees the new session at once', async () => {
    const { browser, code } = await asked('bob@example.com');
    const enter = async (typed: string) => {
      const { redirect } = await submit(browser, path, 'enterAndLook', { code: typed });
      return { to: new URL(redirect?.searchParams.get('to') ?? '').search, sees: redirect?.searchParams.get('sees') };
    };
    expect(await enter('wrong')).toEqual({ to: `${requested}&error=Verification`, sees: 'undefined' });
    expect(await enter(code)).toEqual({ to: '?arrived=yes', sees: 'bob@example.com' });
  });
});

describe('while a page is rendered', () => {
  it('sign-in, sign-out and update are refused before anything is done', async () => {
    const browser = await signedIn();
    const page = await browser.get('/shop/read-only/');
    expect(shown(page, 'results')).toEqual({
      results: ['CookiesNotWritable', 'CookiesNotWritable', 'CookiesNotWritable'],
      passwordsSeen: 0,
    });
    expect(shown(await browser.get('/shop/'), 'session')).toMatchObject({ user: { name: 'Ada' } });
  });
});

describe('what the proxy sets', () => {
  it('reaches the page of the same request', async () => {
    const browser = await signedIn();
    const before = browser.cookies.get('authjs.session-token')?.value;
    const page = await browser.get('/shop/');
    const after = browser.cookies.get('authjs.session-token')?.value;
    expect(after).not.toBe(before);
    expect(shown(page, 'cookies')).toMatchObject({ 'authjs.session-token': after });
    expect(page.headers.has('x-middleware-set-cookie')).toBe(false);
  });

  it('is not cached with a page made at build time', async () => {
    const page = await (await signedIn()).get('/shop/still/');
    expect(page.text()).toContain('made at build time');
    expect(page.headers.get('cache-control')).toBe('private, no-store');
  });

  it.each(['/shop/listed/', '/shop/api/listed/', '/shop/api/public-pages/'])(
    'is kept out of content delivery networks, although %s is public',
    async (path) => {
      const page = await (await signedIn()).get(path);
      expect(page.setCookies.map(({ name }) => name)).toContain('authjs.session-token');
      const names = ['cdn-cache-control', 'vercel-cdn-cache-control', 'surrogate-control', 'x-accel-expires'];
      expect(names.map((name) => page.headers.get(name))).toEqual(['no-store', 'no-store', 'no-store', '0']);
    },
  );
});

describe('wrapped route handlers', () => {
  it('are given the session, their parameters, and the address of the visitor', async () => {
    const page = await (await signedIn('https://shop.example')).get('/shop/api/wrapped/7/');
    expect(page.json()).toMatchObject({ id: '7', session: { user: { name: 'Ada' } } });
    expect((page.json() as { url: string }).url).toMatch(/^https:\/\/shop\.example\//);
  });

  it('may sign out: what was read before does not come back', async () => {
    const browser = await signedIn();
    const page = await browser.post('/shop/api/wrapped/7/', { some: 'text' });
    expect(page.json()).toMatchObject({ left: 'Ada', sent: 'some=text' });
    expect(browser.cookies.has('authjs.session-token')).toBe(false);
  });
});

describe('the Pages Router', () => {
  it('reads and extends the session in API routes', async () => {
    const browser = await signedIn();
    const page = await browser.get('/shop/api/closed-pages/none/');
    expect(page.json()).toMatchObject({ session: { user: { name: 'Ada' } } });
  });

  it('reads it in getServerSideProps', async () => {
    const browser = await signedIn();
    const page = await browser.get('/shop/closed-props/none/');
    expect(shown(page, 'session')).toMatchObject({ user: { name: 'Ada' } });
  });
});

describe('the edge runtime', () => {
  it.each([
    ['pages', async (browser: Browser) => shown(await browser.get('/shop/edge/'), 'session')],
    ['route handlers', async (browser: Browser) => (await browser.get('/shop/api/edge/')).json()],
  ])('has the session in %s', async (_, read) => {
    expect(await read(browse(served()))).toBeNull();
    expect(await read(await signedIn())).toMatchObject({ user: { name: 'Ada' } });
  });
});

describe('a configuration that is a function', () => {
  it('is given the request where there is one', async () => {
    const browser = await signedIn();
    const page = await browser.get('/shop/api/lazy/session/');
    expect(page.json()).toMatchObject({ session: { user: { name: 'Ada' } }, wrapped: { user: { name: 'Ada' } } });
    expect((page.json() as { given: string[] }).given).toEqual([
      'nothing',
      expect.stringContaining('/api/lazy/session'),
    ]);
    expect((await browser.get('/shop/api/lazy/auth/session/')).json()).toMatchObject({ user: { name: 'Ada' } });
  });
});

describe.each(['wrong-configuration', 'no-configuration', 'store-down', 'session-callback', 'jwt-callback'])(
  'with the fault %s there is no session',
  (fault) => {
    it('in any form of `auth`', async () => {
      const browser = await signedIn();
      const page = await browser.get(`/shop/closed/${fault}/`);
      expect(shown(page, 'session')).toBeNull();
      await browser.submit(browser.form(page));
      expect(served().log()).toMatch(/an action sees null/);
      expect(served().log()).not.toMatch(/an action sees \{/);
      const route = (await browser.get(`/shop/api/closed/${fault}/`)).json() as { here: unknown; body: string };
      expect(route.here).toBeNull();
      expect(route.body).not.toContain('Ada');
      expect((await browser.get(`/shop/api/closed-pages/${fault}/`)).json()).toEqual({ session: null });
      expect(shown(await browser.get(`/shop/closed-props/${fault}/`), 'session')).toBeNull();
      expect(browser.cookies.has('authjs.session-token')).toBe(true);
    });
  },
);
