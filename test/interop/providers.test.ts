import type { AuthConfig } from '@latchkey/core';
import Auth0 from '@latchkey/core/providers/auth0';
import GitHub from '@latchkey/core/providers/github';
import Google from '@latchkey/core/providers/google';
import Keycloak from '@latchkey/core/providers/keycloak';
import { Browser, DEFAULT_SECRET, FakeProvider, type FakeProviderOptions } from '@latchkey/testing';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { authjsProvider } from '../peers/authjs.ts';
import { type Library, latchkey, peer } from '../peers/libraries.ts';
import { secret } from './servers.ts';

type Factory = (options: never) => object;

/** A vendor, played by a fake provider at the vendor's addresses. */
interface Vendor {
  readonly id: string;
  readonly ours: Factory;
  readonly options: object;
  readonly fake: FakeProviderOptions;
  readonly user: object;
}

const octocat = { id: 583231, login: 'octocat', name: null, email: 'octo@example.com', avatar_url: 'https://a.test/o' };
const vendors: readonly Vendor[] = [
  {
    id: 'github',
    ours: GitHub,
    options: {},
    fake: {
      issuer: 'https://github.com/login/oauth',
      oidc: false,
      endpoints: { token: '/access_token', userinfo: 'https://api.github.com/user' },
      users: [{ sub: 'octocat', ...octocat } as { sub: string }],
    },
    user: { name: 'octocat', email: 'octo@example.com', image: 'https://a.test/o' },
  },
  {
    id: 'google',
    ours: Google,
    options: {},
    fake: { issuer: 'https://accounts.google.com' },
    user: { name: 'Ada Lovelace', email: 'ada@example.com', image: 'https://idp.test/ada.png' },
  },
  {
    id: 'auth0',
    ours: Auth0,
    options: { issuer: 'https://tenant.auth0.test' },
    fake: { issuer: 'https://tenant.auth0.test' },
    user: { name: 'Ada Lovelace', email: 'ada@example.com', image: 'https://idp.test/ada.png' },
  },
  {
    id: 'keycloak',
    ours: Keycloak,
    options: { issuer: 'https://sso.test/realms/main' },
    fake: { issuer: 'https://sso.test/realms/main' },
    user: { name: 'Ada Lovelace', email: 'ada@example.com', image: 'https://idp.test/ada.png' },
  },
];

/** Signs in with one provider object at one library; resolves to the session. */
async function signIn(library: Library, provider: object, id: string, fake: FakeProvider): Promise<unknown> {
  const config = { secret, trustHost: true, providers: [provider], logger: {} };
  const browser = new Browser((request) => library.auth(request, config), { origin: 'https://app.test' });
  const { csrfToken } = (await browser.get('/auth/csrf')).json<{ csrfToken: string }>();
  const redirect = await browser.post(`/auth/signin/${id}`, { csrfToken });
  await browser.get(await fake.authorize(redirect.location ?? ''), { site: 'cross-site' });
  return (await browser.get('/auth/session')).json();
}

const credentials = { clientId: 'client', clientSecret: DEFAULT_SECRET };

function make(factory: Factory, options: object): Record<string, unknown> {
  return factory({ ...credentials, ...options } as never) as Record<string, unknown>;
}

afterEach(() => void vi.unstubAllGlobals());

describe.each(vendors)('the provider $id', ({ id, ours, options, fake, user }) => {
  let theirs: Factory;
  beforeAll(async () => {
    theirs = await authjsProvider(id);
  });

  it('made by the factory of Auth.js works at Latchkey', async () => {
    const provider = new FakeProvider({ signingAlgorithm: 'ES256', ...fake });
    // A factory's own request asks the network by itself.
    vi.stubGlobal('fetch', provider.fetch);
    const made = make(theirs, { ...options, [peer.customFetch]: provider.fetch });
    expect(await signIn(latchkey, made, id, provider)).toMatchObject({ user });
  });

  it('made by the factory of Latchkey works at Auth.js', async () => {
    const provider = new FakeProvider({ signingAlgorithm: 'ES256', ...fake });
    const made = make(ours, { ...options, [peer.customFetch]: provider.fetch });
    vi.stubGlobal('fetch', provider.fetch);
    expect(await signIn(peer, made, id, provider)).toMatchObject({ user });
  });

  it('is shown the same way by both factories', () => {
    const [one, other] = [ours, theirs].map((factory) => make(factory, options));
    const shown = (provider?: Record<string, unknown>): unknown => {
      const {
        id: name,
        type,
        issuer,
      } = { ...provider, ...(provider?.['options'] as object) } as Record<string, unknown>;
      return { name, type, issuer };
    };
    expect(shown(one)).toEqual(shown(other));
    expect(one?.['name']).toBe(other?.['name']);
  });
});

describe('provider objects of another package', () => {
  it('keep their own `fetch`: its symbol is known by its description', async () => {
    const apple = (await authjsProvider('apple'))({ ...credentials });
    const symbol = Object.getOwnPropertySymbols(apple).find((key) => key.description === 'custom-fetch');
    expect(symbol).toBeDefined();
    const asked: string[] = [];
    const provider = new FakeProvider({ issuer: 'https://appleid.apple.com' });
    const replaced: typeof fetch = (input, init) => {
      asked.push(String(input));
      return provider.fetch(input, init);
    };
    const own = { ...apple, authorization: { params: { scope: 'openid name email' } } };
    const config = { secret, trustHost: true, logger: {}, providers: [{ ...own, [symbol as symbol]: replaced }] };
    const browser = new Browser((request) => latchkey.auth(request, config), { origin: 'https://app.test' });
    const { csrfToken } = (await browser.get('/auth/csrf')).json<{ csrfToken: string }>();
    const redirect = await browser.post('/auth/signin/apple', { csrfToken });
    expect(redirect.redirect?.href).toContain('https://appleid.apple.com/authorize');
    expect(asked).toEqual(['https://appleid.apple.com/.well-known/openid-configuration']);
  });

  it('sign in as the vendor needs it: Apple, whose answer is posted and whose `fetch` is its own', async () => {
    const client = { client_id: 'client', client_secret: DEFAULT_SECRET };
    const provider = new FakeProvider({
      issuer: 'https://appleid.apple.com',
      clients: [{ ...client, token_endpoint_auth_method: 'client_secret_post' }],
    });
    vi.stubGlobal('fetch', provider.fetch);
    // Apple sends an ID token unasked, the fake provider does not.
    const authorization = { params: { scope: 'openid name email' } };
    const apple = (await authjsProvider('apple'))({ ...credentials, authorization });
    const config = { secret, trustHost: true, logger: {}, providers: [apple] };
    const browser = new Browser((request) => latchkey.auth(request, config), { origin: 'https://app.test' });
    const { csrfToken } = (await browser.get('/auth/csrf')).json<{ csrfToken: string }>();
    const redirect = await browser.post('/auth/signin/apple', { csrfToken, callbackUrl: '/inside' });
    expect(redirect.redirect?.searchParams.get('response_mode')).toBe('form_post');
    const answer = await provider.authorizeForm(redirect.location ?? '');
    const posted = await browser.post(answer.action, answer.fields, { site: 'cross-site' });
    const landed = posted.redirect?.pathname === '/inside' ? posted : await browser.follow(posted);
    expect(landed.location).toBe('https://app.test/inside');
    expect((await browser.get('/auth/session')).json()).toMatchObject({ user: { email: 'ada@example.com' } });
    expect(browser.rejected).toEqual([]);
  });

  it("give way to the application's `fetch` in the options, with either symbol", async () => {
    const factory = await authjsProvider('google');
    for (const symbol of [latchkey.customFetch, peer.customFetch]) {
      const provider = new FakeProvider({ issuer: 'https://accounts.google.com' });
      const made = factory({ ...credentials, [symbol]: provider.fetch });
      expect(await signIn(latchkey, made, 'google', provider)).toMatchObject({ user: { email: 'ada@example.com' } });
    }
  });

  it('are listed the same by both libraries', async () => {
    const providers = await Promise.all(
      vendors.map(async ({ id, options }) => (await authjsProvider(id))({ ...credentials, ...options })),
    );
    const config = { secret, trustHost: true, providers, logger: {} } as unknown as AuthConfig;
    const [one, other] = await Promise.all(
      [latchkey, peer].map(async ({ auth }) =>
        (await auth(new Request('https://app.test/auth/providers'), { ...config })).json(),
      ),
    );
    expect(one).toEqual(other);
  });

  it('may be bare factories', async () => {
    const config = { secret, trustHost: true, providers: [await authjsProvider('google')], logger: {} };
    for (const { auth } of [latchkey, peer]) {
      const answer = await auth(new Request('https://app.test/auth/providers'), { ...config });
      expect(Object.keys((await answer.json()) as object)).toEqual(['google']);
    }
  });

  it('of the type credentials ask the application', async () => {
    const factory = await authjsProvider('credentials');
    const made = factory({
      credentials: { name: { label: 'Name' } },
      authorize: ({ name }: { name?: string }) => (name ? { id: 'u1', name } : null),
    });
    const config = { secret, trustHost: true, providers: [made], logger: {} };
    const browser = new Browser((request) => latchkey.auth(request, config));
    const form = browser.form(await browser.get('/auth/signin'));
    await browser.submit(form, { name: 'Grace' });
    expect((await browser.get('/auth/session')).json()).toMatchObject({ user: { name: 'Grace' } });
  });
});
