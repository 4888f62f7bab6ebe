import { memoryAdapter, type Page } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import { serveRelatedOrigins } from '../../src/identity/webauthn/related-origins.ts';
import Credentials from '../../src/providers/credentials.ts';
import Passkey from '../../src/providers/passkey.ts';
import type { AuthConfig } from '../../src/types/config.ts';
import { type Door, doors } from './doors.ts';
import { fakeProvider, oidc, type Scene, scene } from './scene.ts';

const fake = fakeProvider();
const mails: string[] = [];

/** An application with a provider of each kind. */
function site(door: Door, config: Partial<AuthConfig> = {}, options: Parameters<typeof scene>[2] = {}): Scene {
  const mail = {
    id: 'mail',
    type: 'email' as const,
    name: 'Mail',
    sendVerificationRequest: ({ url }: { url: string }) => void mails.push(url),
  };
  const posting = { id: 'posting', authorization: { params: { response_mode: 'form_post', scope: 'openid' } } };
  const providers = [
    oidc(fake, { checks: ['pkce', 'state', 'nonce'] }),
    oidc(fake, posting),
    mail,
    { ...mail, id: 'careful', confirm: true },
    Credentials({ credentials: { name: {} }, authorize: () => null }),
    Passkey,
  ];
  return scene(
    door,
    {
      providers,
      adapter: memoryAdapter(),
      session: { strategy: 'jwt' },
      experimental: { enableWebAuthn: true },
      // A name of its own for each test, so that none counts for another.
      rateLimit: { credentials: { limit: 1, identifier: ({ name }) => String(name) }, network: false },
      ...config,
    },
    { ...options, call: { isOriginFixed: true, ...options?.call } },
  );
}

const NOSNIFF = { 'x-content-type-options': 'nosniff' };
const PRIVATE = { ...NOSNIFF, 'cache-control': 'private, no-store' };
const JSON_PRIVATE = { ...NOSNIFF, 'cache-control': 'private, no-cache, no-store', expires: '0', pragma: 'no-cache' };
const PAGE = {
  ...PRIVATE,
  'content-security-policy': expect.stringMatching(
    /^default-src 'none'; style-src ('sha256-[\w+/=]+' ?)+; (script-src https?:\/\/[\w.:-]+\/([\w-]+\/)*asset\/; require-trusted-types-for 'script'; (connect-src 'self'; )?)?img-src 'self' data:; base-uri 'none'; frame-ancestors 'none'$/,
  ),
  'referrer-policy': 'same-origin',
  'x-frame-options': 'DENY',
};
const SCRIPT = { ...NOSNIFF, 'cross-origin-resource-policy': 'same-origin' };

type Ask = (app: Scene) => Promise<Page>;
type Row = readonly [what: string, status: number, headers: object, ask: Ask, own?: Partial<AuthConfig>];

const base = ({ config }: Scene): string => config.basePath ?? '/auth';
const get =
  (path: string, headers: Record<string, string> = {}): Ask =>
  (app) =>
    app.browser.get(`${base(app)}/${path}`, { headers });
const post =
  (path: string, fields: Record<string, unknown> = {}): Ask =>
  (app) =>
    app.post(path, fields);
const bare =
  (method: string, path: string, body?: string, type = 'application/json'): Ask =>
  (app) =>
    app.browser.open(`${base(app)}/${path}`, {
      method,
      ...(body !== undefined && { body, headers: { 'content-type': type } }),
    });
const telling = { 'x-auth-return-redirect': '1' };
const twice =
  (again: Ask): Ask =>
  async (app) => {
    await app.post('callback/credentials', { name: 'ada' });
    return again(app);
  };
const back: Ask = async (app) => app.finish(await fake.authorize((await app.begin()).location ?? ''));
const link =
  (id: string): Ask =>
  async (app) => {
    await app.post(`signin/${id}`, { email: 'ada@example.com' });
    return app.finish(mails.at(-1) ?? '');
  };
const posted: Ask = async (app) => {
  const { action, fields } = await fake.authorizeForm((await app.begin('posting')).location ?? '');
  return app.browser.post(action, fields, { site: 'cross-site' });
};
const asset: Ask = async (app) => {
  const [, path = ''] = /src="([^"]+passkey\.js[^"]*)"/.exec((await get('signin')(app)).text()) ?? [];
  return app.browser.get(path);
};
const OWN = { pages: { signIn: '/in', signOut: '/out', error: '/oops', verifyRequest: '/look' } };

const UNLISTED = { ...PAGE, 'x-robots-tag': 'noindex' };

const rows: readonly Row[] = [
  // Pages.
  ['the sign-in page', 200, PAGE, get('signin')],
  ['the sign-in page with an error', 200, PAGE, get('signin?error=AccessDenied')],
  ['the sign-out page', 200, PAGE, get('signout')],
  ['the page that a mail is on its way', 200, UNLISTED, get('verify-request')],
  ['the pending mail', 200, PRIVATE, get('code/mail')],
  ['the error page', 200, PAGE, get('error')],
  ['the error page for who may not', 403, PAGE, get('error?error=AccessDenied')],
  ['the error page for a fault of the owner', 500, PAGE, get('error?error=Configuration')],
  ['the page that asks before a link is used', 200, { ...UNLISTED, 'referrer-policy': 'strict-origin' }, link('careful')],
  ['the page of one attempt too many', 429, { ...PAGE, 'retry-after': '900' }, twice(post('callback/credentials', { name: 'ada' }))],
  [
    'that page where the sign-in page is the application’s own',
    429,
    { ...PAGE, 'retry-after': '900', refresh: expect.any(String) },
    twice(post('callback/credentials', { name: 'ada' })),
    OWN,
  ],
  ['a page while the configuration is wrong', 500, PAGE, get('signin'), { secret: '' }],
  // JSON.
  ['no session', 200, JSON_PRIVATE, get('session')],
  ['a session', 200, JSON_PRIVATE, async (app) => [await back(app), await get('session')(app)][1] as Page],
  ['an updated session', 200, JSON_PRIVATE, post('session', { data: 'x' })],
  ['an update without a token', 400, PRIVATE, bare('POST', 'session', '{}')],
  ['a token', 200, JSON_PRIVATE, get('csrf')],
  ['what a passkey needs', 200, JSON_PRIVATE, get('webauthn-options/passkey')],
  ['what no passkey needs', 400, JSON_PRIVATE, get('webauthn-options/passkey?action=x')],
  ['where to go', 200, PRIVATE, (app) => get('signin/fake', telling)(app)],
  ['where to go, by a cookie', 200, PRIVATE, get('signin', telling), OWN],
  ['where to go after a refusal', 200, PRIVATE, get('callback/fake?code=x', telling)],
  [
    'one attempt too many',
    429,
    { ...PRIVATE, 'retry-after': '900' },
    twice(async (app) => {
      const { csrfToken } = (await get('csrf')(app)).json<{ csrfToken: string }>();
      return app.browser.post(`${base(app)}/callback/credentials`, { csrfToken, name: 'ada' }, { headers: telling });
    }),
  ],
  ['anything while the configuration is wrong', 500, PRIVATE, get('csrf'), { secret: '' }],
  ['the list of providers, whose addresses have the host', 200, PRIVATE, get('providers')],
  // Ways on.
  ['the way to a provider', 302, PRIVATE, (app) => app.begin()],
  ['the way to the form', 302, PRIVATE, get('signin/fake')],
  ['the way back from a provider', 302, PRIVATE, back],
  ['the way back to the form, with nothing pending', 302, PRIVATE, get('callback/fake?code=x&state=y')],
  ['the way on from what a provider posts', 303, PRIVATE, posted],
  ['the way on from a mail that was asked for', 302, PRIVATE, post('signin/mail', { email: 'ada@example.com' })],
  ['the way in by a mailed link', 302, { ...PRIVATE, 'referrer-policy': 'no-referrer' }, link('mail')],
  ['the way out', 302, PRIVATE, post('signout')],
  ['the way to the form, without a token', 302, PRIVATE, bare('POST', 'signout', '{}')],
  ['the way to a sign-in page of the application’s own', 302, PRIVATE, get('signin'), OWN],
  ['the way to a sign-out page of its own', 302, PRIVATE, get('signout'), OWN],
  ['the way to an error page of its own', 302, PRIVATE, get('error'), OWN],
  ['the way to a page of its own that a mail is on its way', 302, PRIVATE, get('verify-request'), OWN],
  ['the way to an error page while the configuration is wrong', 302, PRIVATE, get('signin'), { ...OWN, secret: '' }],
  // Refused requests.
  ['an unknown action', 400, PRIVATE, get('nothing')],
  ...['HEAD', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'].map((method): Row => [method, 400, PRIVATE, bare(method, 'session')]),
  ['a method that the action does not have', 400, PRIVATE, bare('POST', 'csrf', '{}')],
  ['a body that is too long', 413, PRIVATE, bare('POST', 'signout', 'x'.repeat(300_000))],
  ['a body that is no JSON', 400, PRIVATE, bare('POST', 'signout', '{')],
  ['an unknown script', 400, PRIVATE, get('asset/nothing.js')],
  // Scripts.
  ['the script of pages with passkeys', 200, { ...SCRIPT, 'cache-control': 'public, max-age=31536000, immutable' }, asset],
  ['the same of another release', 200, { ...SCRIPT, 'cache-control': 'no-cache' }, get('asset/passkey.js?v=old')],
]; // biome-ignore format: one answer, one line

/** Those that are the same with any answer, or another test's. */
const OTHERS = new Set(['content-type', 'location', 'set-cookie']);
const headersOf = ({ headers }: Page): object => Object.fromEntries([...headers].filter(([name]) => !OTHERS.has(name)));

const cases = rows.map(([what, status, headers, ask, own = {}]) => [what, status, headers, ask, own] as const);

const places = [
  ['http', {}, {}],
  ['https below a path', { basePath: '/sub/auth' }, { origin: 'https://app.example' }],
] as const;

describe.each(doors)('headers, through $name', (door) => {
  describe.each(places)('by %s', (_, config, options) => {
    it.each(cases)('of %s (%i) are these and no others', async (_what, status, headers, ask, own) => {
      const page = await ask(site(door, { ...config, ...own }, options));
      expect([page.status, headersOf(page)]).toEqual([status, headers]);
    });
  });

  it('of the CSRF action are absent if the host checks the origin of forms, and the cookie is removed', async () => {
    const page = await get('csrf')(site(door, {}, { call: { forms: 'host-checked' } }));
    expect([page.status, headersOf(page)]).toEqual([404, PRIVATE]);
    expect(page.cookie('authjs.csrf-token')).toMatchObject({ value: '', maxAge: 0 });
  });

  it('of the sites that share passkeys allow caching for an hour', () => {
    const answer = serveRelatedOrigins(new Request('https://app.example/.well-known/webauthn'), { providers: [] });
    expect(Object.fromEntries(answer?.headers ?? [])).toEqual({
      ...NOSNIFF,
      'cache-control': 'public, max-age=3600',
      'content-type': 'application/json',
    });
  });
});

const DOMAIN = { options: { domain: 'example.com' } };
const inDomain: AuthConfig['cookies'] = {
  ...Object.fromEntries(
    ['sessionToken', 'callbackUrl', 'pkceCodeVerifier', 'state', 'nonce', 'webauthnChallenge'].map((key) => [
      key,
      DOMAIN,
    ]),
  ),
  csrfToken: { name: '__Secure-authjs.csrf-token', ...DOMAIN },
};
const secure = { secure: true, csrf: '__Host-', others: '__Secure-', domain: undefined };
const insecure = { secure: false, csrf: '', others: '', domain: undefined };
const http = 'http://localhost:3000';
const https = 'https://app.example.com';
const kinds = [
  ['http', http, {}, insecure],
  ['https', https, {}, secure],
  ['https below a path', https, { basePath: '/sub/auth' }, secure],
  ['https without secure cookies', https, { useSecureCookies: false }, insecure],
  ['http with secure cookies', http, { useSecureCookies: true }, secure],
  ['https for all of a domain', https, { cookies: inDomain }, { ...secure, csrf: '__Secure-', domain: 'example.com' }],
] as const;

describe.each(doors)('cookies, through $name', (door) => {
  it.each(kinds)(
    'by %s have the strongest name that browsers take, and its attributes',
    async (_, origin, config, as) => {
      const app = site(door, config, { origin });
      await get('webauthn-options/passkey?action=authenticate')(app);
      await back(app);
      await get('session')(app);
      await post('signout')(app);
      const set = app.browser.history.flatMap(({ setCookies }) => setCookies);
      const names = new Set(set.map(({ name }) => name));
      expect(names).toEqual(
        new Set([
          `${as.csrf}authjs.csrf-token`,
          // Sessions that are shared with subdomains do not belong to one browser cookie.
          ...(as.domain === undefined ? [`${as.csrf}authjs.browser`] : []),
          ...['callback-url', 'session-token', 'state', 'nonce', 'pkce.code_verifier', 'challenge'].map(
            (name) => `${as.others}authjs.${name}`,
          ),
        ]),
      );
      for (const cookie of set) {
        expect(cookie).toMatchObject({ path: '/', httpOnly: true, sameSite: 'Lax', secure: as.secure });
        expect(cookie.domain).toBe(as.domain);
      }
      expect(app.browser.rejected).toEqual([]);
    },
  );

  it('that browsers would reject are a configuration problem, and are not set', async () => {
    for (const cookies of [{ csrfToken: DOMAIN }, { csrfToken: { options: { path: '/auth' } } }]) {
      const page = await get('signin')(site(door, { cookies }, { origin: https }));
      expect([page.status, page.setCookies]).toEqual([500, []]);
    }
  });

  it('may have a stronger name of the application’s choice', async () => {
    const app = site(door, { cookies: { sessionToken: { name: '__Host-session' } } }, { origin: https });
    await back(app);
    expect(app.browser.cookies.has('__Host-session')).toBe(true);
    expect(await app.session()).not.toBeNull();
  });
});
