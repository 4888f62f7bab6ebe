import { type Host, tokensOfVisitor, withEnv } from '@latchkey/core/binding';
import { AuthError, TokensUnavailable } from '@latchkey/core/errors';
import type { Provider } from '@latchkey/core/providers';
import Credentials from '@latchkey/core/providers/credentials';
import { tokensOf } from '@latchkey/core/tokens';
import type { AuthConfig } from '@latchkey/core/types';
import type { Browser } from '@latchkey/testing';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { settingsFor } from '../../src/config/settings.ts';
import { openEntry, sealEntry } from '../../src/tokens/entry.ts';
import { failure, makeScene, type Scene, type SceneOptions, storedTokens } from './scene.ts';

afterEach(() => {
  vi.useRealTimers();
});

interface VisitorOptions {
  readonly headers?: Record<string, string>;
  /** Members that replace those of the configuration. */
  readonly config?: Partial<AuthConfig>;
}

function tokensFor({ app, clock }: Scene, browser: Browser = app.browser, options: VisitorOptions = {}) {
  const cookie = browser.cookies
    .all()
    .map(({ name, value }) => `${name}=${value}`)
    .join('; ');
  const { config, call } = withEnv({ ...(app.config as AuthConfig), ...options.config }, {});
  const host: Host = {
    origin: browser.origin,
    headers: new Headers({ cookie, ...options.headers }),
    forms: 'same-origin',
    redirect: () => {
      throw new Error('redirected');
    },
  };
  return tokensOfVisitor(() => ({ configured: { config, call: { ...call, now: clock.now } as typeof call }, host }));
}

const cases: [string, SceneOptions][] = [
  ['database sessions', {}],
  ['JWT sessions with an adapter', { config: { session: { strategy: 'jwt' } } }],
  ['JWT sessions without an adapter', { withoutAdapter: true }],
];

describe.each(cases)('the tokens of a visitor with %s', (kind, options) => {
  it('are refreshed where cookies cannot be set, too', async () => {
    const scene = makeScene(options);
    await scene.app.signIn();
    const one = await tokensFor(scene).get('fake');
    expect(one.scopes).toEqual(['openid', 'profile', 'email']);
    scene.later(3601);
    const many = await Promise.all(Array.from({ length: 20 }, () => tokensFor(scene).get('fake')));
    expect(new Set(many.map(({ accessToken }) => accessToken)).size).toBe(1);
    expect(many[0]?.accessToken).not.toBe(one.accessToken);
    expect(scene.refreshes()).toHaveLength(1);
    expect(await tokensFor(scene).list()).toMatchObject([{ provider: 'fake', account: 'ada-1815', state: 'active' }]);
  });

  it('belong to the session only', async () => {
    const scene = makeScene(options);
    await scene.app.signIn();
    const stranger = scene.app.visitor();
    expect(await failure(tokensFor(scene, stranger).get('fake', { scopes: ['x'] }))).toMatchObject({
      code: 'signed-out',
      remedy: 'sign-in',
      scopes: ['x'],
    });
    expect(await failure(tokensFor(scene, stranger).get('fake'))).toMatchObject({ scopes: [] });
    for (const provider of ['fake', undefined]) {
      const error = await failure(tokensFor(scene, stranger).revoke(provider));
      expect(error).toMatchObject({ code: 'signed-out', provider: provider ?? '' });
    }
    expect(await tokensFor(scene, stranger).list()).toEqual([]);
    await scene.app.signIn({ browser: stranger, consent: { user: { sub: 'eve', email: 'eve@evil.test' } } });
    const [ada, eve] = [await tokensFor(scene).get('fake'), await tokensFor(scene, stranger).get('fake')];
    expect(ada.accessToken).not.toBe(eve.accessToken);
    expect(await failure(tokensFor(scene, stranger).get('fake', { account: 'ada-1815' }))).toMatchObject({
      code: 'no-account',
    });
  });

  it('end with the session', async () => {
    const scene = makeScene(options);
    await scene.app.signIn();
    const browser = scene.app.browser;
    const tokens = tokensFor(scene);
    await scene.app.signOut();
    expect(scene.vault.dump()).toHaveLength(1);
    // A copy of the cookie of a JWT session stays valid without records.
    if (kind === 'database sessions') expect(await failure(tokens.get('fake'))).toMatchObject({ code: 'signed-out' });
    expect(await failure(tokensFor(scene, browser).get('fake'))).toMatchObject({ code: 'signed-out' });
  });

  it('are revoked at the provider, and deleted', async () => {
    const revoked: string[] = [];
    const entry = { revocation: ({ kind }: { kind: string }) => void revoked.push(kind) };
    const scene = makeScene({ ...options, entry });
    await scene.app.signIn();
    const answer = await tokensFor(scene).revoke('fake');
    expect(answer).toEqual([{ provider: 'fake', account: 'ada-1815', result: 'revoked' }]);
    expect(revoked).toEqual(['refresh_token', 'access_token']);
    expect(scene.vault.dump()).toEqual([]);
    expect(await failure(tokensFor(scene).get('fake'))).toMatchObject({ code: 'no-account' });
    expect(scene.app.events.filter(([name]) => name === 'tokensRevoked')).toMatchObject([
      ['tokensRevoked', { providerAccountId: 'ada-1815', result: 'revoked' }],
    ]);
  });

  it('are revoked at a sign-out only with `revokeOnSignOut`', async () => {
    const entry = { revocation: () => undefined };
    const scene = makeScene({ ...options, entry, tokens: { revokeOnSignOut: true } });
    await scene.app.signIn();
    await scene.app.signOut();
    expect(scene.vault.dump()).toEqual([]);
    expect(await scene.app.session()).toBeNull();
  });
});

describe('a session without an account', () => {
  const withPassword = Credentials({ authorize: () => ({ id: 'eve' }) });

  it('has no tokens, also if the application passes the account that a visitor has named', async () => {
    const scene = makeScene({ withoutAdapter: true });
    scene.app.config.providers = [...scene.app.config.providers, withPassword];
    await scene.app.signIn();
    const stranger = scene.app.visitor();
    await scene.app.post('callback/credentials', {}, stranger);
    expect(await scene.app.session(stranger)).not.toBeNull();
    expect(await failure(tokensFor(scene, stranger).get('fake', { account: 'ada-1815' }))).toMatchObject({
      code: 'no-account',
    });
    expect(await tokensFor(scene, stranger).revoke('fake', { account: 'ada-1815' })).toEqual([]);
    expect(await tokensFor(scene, stranger).list()).toEqual([]);
    expect(scene.vault.dump()).toHaveLength(1);
  });
});

describe('a session without an adapter', () => {
  it('has the tokens of its own account only, not those of the same id at another provider', async () => {
    const scene = makeScene({ withoutAdapter: true });
    scene.app.config.providers = [...scene.app.config.providers, { ...scene.provider.provider(), id: 'other' }];
    await scene.app.signIn();
    const settings = settingsFor(scene.app.config);
    await scene.vault.write(
      await sealEntry(settings, { ...(await storedTokens(scene)), provider: 'other' }, null),
      null,
    );
    const tokens = tokensFor(scene);
    expect(await failure(tokens.get('other'))).toMatchObject({ code: 'no-account', provider: 'other' });
    expect(await tokens.list()).toMatchObject([{ provider: 'fake' }]);
    expect(await tokens.revoke('other')).toEqual([]);
    expect(scene.vault.dump()).toHaveLength(2);
  });
});

describe('an account that moves to another user during a call', () => {
  it('yields no tokens to the user before', async () => {
    const scene = makeScene();
    await scene.app.signIn();
    const { userId, entry: before } = scene;
    await scene.jobs().get('fake', { userId });
    const other = await sealEntry(
      settingsFor(scene.app.config),
      { ...(await storedTokens(scene)), userId: 'eve', accessToken: "eve's token" },
      null,
    );
    scene.later(3601);
    vi.spyOn(scene.vault, 'lease').mockImplementationOnce(async (key) => {
      await scene.vault.remove(key);
      await scene.vault.write({ ...other, expires: null }, null);
      return false;
    });
    expect(before?.userId).toBe(userId);
    const error = await failure(scene.jobs().get('fake', { userId }));
    expect(error).toMatchObject({ code: 'no-account', provider: 'fake' });
  });
});

describe('a session that `callbacks.jwt` ends', () => {
  it('yields no tokens', async () => {
    let isOver = false;
    const callbacks: AuthConfig['callbacks'] = { jwt: ({ token }) => (isOver ? null : token) };
    const scene = makeScene({ config: { session: { strategy: 'jwt' }, callbacks } });
    await scene.app.signIn();
    isOver = true;
    expect(await failure(tokensFor(scene).get('fake'))).toMatchObject({ code: 'signed-out' });
  });
});

describe('a revocation', () => {
  it.each([
    ['unsupported', {}, []],
    ['failed', { revocation: () => Promise.reject(new Error('down')) }, ['AuthError']],
  ] as const)('deletes the tokens if it is %s', async (result, entry, logged) => {
    const scene = makeScene({ entry });
    await scene.app.signIn();
    expect(await scene.jobs().revoke(undefined, { userId: scene.userId })).toMatchObject([{ result }]);
    expect(scene.vault.dump()).toEqual([]);
    expect(scene.adapter.dump().accounts).toMatchObject([{ access_token: null, refresh_token: null }]);
    expect(scene.app.log.types()).toEqual(logged);
  });

  it('sends RFC 7009 requests to the endpoint of the metadata', async () => {
    const seen: Request[] = [];
    const scene = makeScene({
      provider: {
        routes: {
          'https://idp.test/revoke': (request) => {
            seen.push(request.clone());
            return new Response(null);
          },
        },
      },
    });
    scene.provider.misbehave({ discovery: { json: { revocation_endpoint: 'https://idp.test/revoke' } } });
    await scene.app.signIn();
    expect(await scene.jobs().revoke('fake', { userId: scene.userId })).toMatchObject([{ result: 'revoked' }]);
    const forms = await Promise.all(seen.map(async (request) => new URLSearchParams(await request.text())));
    expect(forms.map((form) => form.get('token_type_hint'))).toEqual(['refresh_token', 'access_token']);
    expect(seen[0]?.headers.get('authorization')).toMatch(/^Basic /);
  });
});

describe('a call of another site', () => {
  it('cannot revoke tokens, but a page that it links to can use them', async () => {
    const scene = makeScene();
    await scene.app.signIn();
    const headers = { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' };
    const tokens = tokensFor(scene, scene.app.browser, { headers });
    expect(await failure(tokens.revoke())).toMatchObject({ type: 'MissingCSRF' });
    expect(scene.vault.dump()).toHaveLength(1);
    expect(await tokens.get('fake')).toMatchObject({ accessToken: expect.any(String) });
  });
});

describe('a sign-out with `revokeOnSignOut`', () => {
  it('needs no session, and continues while the vault fails', async () => {
    const scene = makeScene({ tokens: { revokeOnSignOut: true } });
    await scene.app.post('signout', {}, scene.app.visitor());
    expect(scene.app.log.types()).toEqual([]);
    await scene.app.signIn();
    scene.vault.fail('find');
    await scene.app.signOut();
    expect(await scene.app.session()).toBeNull();
    expect(scene.app.log.types()).toEqual(['TokensUnavailable']);
  });
});

describe('scopes', () => {
  const scopesIn = async ({ app, entry }: Scene) =>
    entry && (await openEntry(settingsFor(app.config), entry))?.tokens.scopes;

  it('of a sign-in are added to the configured and the stored ones, with a new consent', async () => {
    const scene = makeScene();
    await scene.app.signIn();
    await scene.app.signIn({ fields: { scopes: 'calendar' } });
    expect(await scopesIn(scene)).toEqual(['openid', 'profile', 'email', 'calendar']);
    const url = new URL((await scene.app.startSignIn('fake', { scopes: 'mail' })).location ?? '');
    expect(url.searchParams.get('scope')).toBe('openid profile email calendar mail');
    expect(url.searchParams.get('prompt')).toBe('consent');
  });

  it('stay if a visitor removes some of them from the sign-in request', async () => {
    const scene = makeScene({ entry: { authorization: { params: { scope: 'openid email calendar' } } } });
    await scene.app.signIn();
    const before = scene.entry;
    const browser = scene.app.visitor();
    const page = await scene.app.startSignIn('fake', {}, browser);
    const url = new URL(page.location ?? '');
    url.searchParams.set('scope', 'openid email');
    await scene.app.open(await scene.provider.authorize(url.href), browser);
    expect(await scene.app.session(browser)).toMatchObject({ user: { email: 'ada@example.com' } });
    expect(scene.entry).toEqual(before);
    const stored = await scene.jobs().get('fake', { userId: scene.userId });
    expect(scene.adapter.dump().accounts).toMatchObject([{ access_token: stored.accessToken }]);
  });

  it.each([
    ['an OpenID provider', {}, 'openid profile email offline_access', 'consent'],
    [
      'a provider with a parameter',
      { offlineAccess: { params: { access_type: 'offline' } } },
      'openid profile email',
      null,
    ],
    [
      'a provider with a scope',
      { offlineAccess: { scope: 'offline.access' } },
      'openid profile email offline.access',
      null,
    ],
  ])('for a refresh token are those that %s requires', async (_, own, scope, prompt) => {
    const scene = makeScene({ entry: { ...own, offline: true } });
    const { searchParams } = new URL((await scene.app.startSignIn()).location ?? '');
    expect([searchParams.get('scope'), searchParams.get('prompt')]).toEqual([scope, prompt]);
  });
});

describe('a problem of the configuration', () => {
  it('refuses the functions, also one of an option that only sign-ins and pages need', async () => {
    const scene = makeScene();
    await scene.app.signIn();
    const tokens = tokensFor(scene, scene.app.browser, { config: { pages: { signIn: 'javascript:alert(1)' } } });
    for (const call of [tokens.get('fake'), tokens.list(), tokens.revoke('fake')]) {
      expect(await failure(call)).toMatchObject({
        cause: { problems: [{ message: expect.stringContaining('signIn') }] },
      });
    }
    expect(scene.vault.dump()).toHaveLength(1);
  });

  it('of a provider refuses its tokens, so that none is sent to an http URL', async () => {
    const scene = makeScene();
    await scene.app.signIn();
    scene.later(3601);
    const requests = scene.provider.count();
    const entry = { ...scene.provider.provider(), token: 'http://provider.example/token' } as Provider;
    const tokens = tokensFor(scene, scene.app.browser, { config: { providers: [entry] } });
    expect(await failure(tokens.get('fake'))).toMatchObject({ message: expect.stringContaining('https') });
    expect(scene.provider.count()).toBe(requests);
    const jobs = tokensOf({ ...(scene.app.config as AuthConfig), providers: [entry] }, {});
    expect(await failure(jobs.get('fake', { userId: scene.userId }))).toMatchObject({
      message: expect.stringContaining('https'),
    });
    expect(scene.provider.count()).toBe(requests);
  });
});

describe('without the option', () => {
  it('the functions report it', async () => {
    const scene = makeScene({ config: { tokens: undefined } });
    await scene.app.signIn();
    const error = await failure(tokensFor(scene).get('fake'));
    expect(error).toBeInstanceOf(AuthError);
    expect(String(error)).toContain('the functions of tokens need the option `tokens`');
    expect(error).not.toBeInstanceOf(TokensUnavailable);
    expect(scene.vault.calls).toEqual([]);
  });
});

describe('a problem of the configuration', () => {
  it('is the error of each function', async () => {
    const scene = makeScene();
    scene.app.config.tokens = { store: scene.vault, minTtl: -1 };
    const error = await failure(tokensFor(scene).get('fake'));
    expect(error).toBeInstanceOf(AuthError);
    expect(String(error)).toContain('`tokens.minTtl` must be a whole number');
  });
});

describe('the configuration', () => {
  it('reports all problems at once', async () => {
    const { inspectConfig } = await import('@latchkey/core/inspection');
    const problems = (config: object) =>
      inspectConfig(
        { providers: [], secret: 'a-secret-of-more-than-32-characters', trustHost: true, ...config } as AuthConfig,
        {},
        { origin: 'https://app.test', basePath: '/auth' },
      ).problems.map(({ error }) => error.message.replace(/ See .*/, ''));
    expect(problems({ tokens: { store: true } })).toEqual([
      '`tokens.store: true` needs an adapter with a token vault. Use `SqlTokenVault(db)` or `RedisTokenVault(client)`.',
    ]);
    const wrong = { store: {}, accountColumns: 'clear', minTtl: 4000, kms: {} };
    expect(problems({ tokens: wrong })).toEqual([
      "`tokens.store` must be true, a token vault or 'cookie'. Set it, or remove `tokens`.",
      '`tokens.minTtl` must be a whole number of seconds from 0 to 3600.',
      '`tokens.kms` must have the functions `wrap` and `unwrap`.',
      "`tokens.accountColumns: 'clear'` needs a token vault and an adapter with `updateAccount`. Use `'keep'`.",
    ]);
    const { default: Facebook } = await import('@latchkey/core/providers/facebook');
    expect(problems({ providers: [Facebook({ clientId: 'x', clientSecret: 'y', offline: true })] })).toEqual([
      'provider "facebook" has no refresh tokens. Remove `offline`.',
    ]);
  });
});
