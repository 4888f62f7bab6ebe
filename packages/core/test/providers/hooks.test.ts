import { DEFAULT_SECRET, memoryAdapter, type Page } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import { setEnvDefaults } from '../../src/config/env.ts';
import { AccessDenied } from '../../src/errors.ts';
import Google from '../../src/providers/google.ts';
import type { ConformContext, OIDCConfig } from '../../src/providers/oauth.ts';
import { customFetch } from '../../src/symbols.ts';
import type { AuthConfig } from '../../src/types/config.ts';
import type { Profile } from '../../src/types/user.ts';
import { oneDoor } from '../flows/doors.ts';
import {
  asked,
  expectRefused,
  fakeProvider,
  leadsTo,
  oauth,
  oidc,
  type Scene,
  SECRET,
  scene,
  startsSession,
} from '../flows/scene.ts';

describe.each(oneDoor)('an address below the issuer, through $name', (door) => {
  it.each(['https://idp.test/team', 'https://idp.test/team/'])('begins where %s ends', async (issuer) => {
    const path = (name: string): string => `https://idp.test/team/oauth/${name}`;
    const endpoints = { authorization: path('authorize'), token: path('token'), userinfo: path('me') };
    const fake = fakeProvider({ oidc: false, issuer, endpoints });
    const below = { authorization: './oauth/authorize', token: { url: './oauth/token' }, userinfo: './oauth/me' };
    const app = scene(door, { providers: [oauth(fake, { issuer, ...below })] });
    expect(startsSession(await app.signIn(fake, { id: 'plain' }))).toBe(true);
  });

  it('requires an issuer, and says so in the error', async () => {
    const fake = fakeProvider({ oidc: false });
    const app = scene(door, { providers: [oauth(fake, { token: './token' })] });
    const page = await app.begin('plain');
    expect(leadsTo(page)).toMatch(/^\/auth\/error\?error=Configuration&reference=/);
    expect(app.log.types()).toEqual(['InvalidEndpoints']);
    expect(String(app.log.errors[0])).toContain('(missing: token). Set the issuer (AUTH_PLAIN_ISSUER)');
  });

  it('can be the one of the metadata and of the keys', async () => {
    const fake = fakeProvider({ issuer: 'https://idp.test/team', endpoints: { jwks: 'https://idp.test/team/certs' } });
    const metadata = await (await fake.fetch(`${fake.issuer}/.well-known/openid-configuration`)).json();
    const odd = fakeProvider({
      issuer: 'https://idp.test/team',
      endpoints: { discovery: 'https://idp.test/team/odd/metadata', jwks: metadata.jwks_uri },
    });
    odd.overrides.discovery = ({ jwks_uri: _, ...rest }) => rest;
    const own = { wellKnown: './odd/metadata', jwks_endpoint: './certs' };
    const app = scene(door, { providers: [oidc(odd, own)] });
    expect(startsSession(await app.signIn(odd))).toBe(true);
    expect([odd.count('discovery'), odd.count('jwks')]).toEqual([1, 1]);
  });
});

describe.each(oneDoor)('requests to a provider through $name', (door) => {
  const headers = { 'x-api-key': 'key', 'user-agent': 'acme' };

  it('bear the headers that its endpoints name, by the method that it names', async () => {
    const seen: Request[] = [];
    const profile = 'https://api.idp.test/me';
    const answer = (request: Request): Response => {
      seen.push(request);
      return Response.json({ id: 7 });
    };
    const fake = fakeProvider({ oidc: false, routes: { [profile]: answer } });
    const userinfo = { url: profile, method: 'POST', headers } as const;
    const app = scene(door, {
      providers: [oauth(fake, { token: { url: fake.endpoints.token, headers: { 'x-version': '2' } }, userinfo })],
    });
    expect(startsSession(await app.signIn(fake, { id: 'plain' }))).toBe(true);
    expect(fake.requests.find(({ endpoint }) => endpoint === 'token')?.headers.get('x-version')).toBe('2');
    const [sent] = seen;
    expect(sent?.method).toBe('POST');
    expect(Object.fromEntries(sent?.headers ?? [])).toMatchObject({ ...headers, accept: 'application/json' });
    expect(sent?.headers.get('authorization')).toMatch(/^Bearer \S+$/);
  });

  it('bear them at the userinfo endpoint of OpenID Connect, too', async () => {
    const fake = fakeProvider();
    const userinfo = { url: fake.endpoints.userinfo, headers: { 'x-api-key': 'key' } };
    const app = scene(door, { providers: [oidc(fake, { idToken: false, userinfo })] });
    expect(startsSession(await app.signIn(fake))).toBe(true);
    expect(fake.requests.find(({ endpoint }) => endpoint === 'userinfo')?.headers.get('x-api-key')).toBe('key');
  });

  it.each([true, false])(
    'have their profile put into form by `userinfo.conform` (OpenID Connect: %s)',
    async (isOidc) => {
      const fake = fakeProvider({ oidc: isOidc });
      const seen: number[] = [];
      const conform = async (response: Response): Promise<Response> => {
        seen.push(response.status);
        return Response.json({ ...(await response.json()), name: 'Conformed' });
      };
      const userinfo = { url: fake.endpoints.userinfo, conform };
      const provider = isOidc ? oidc(fake, { idToken: false, userinfo }) : oauth(fake, { userinfo });
      const app = scene(door, { providers: [provider] });
      await app.signIn(fake, { id: provider.id });
      expect(seen).toEqual([200]);
      expect(await app.session()).toMatchObject({ user: { name: 'Conformed' } });
    },
  );

  it('ask `token.conform` and `userinfo.conform` as methods of the endpoints that they belong to', async () => {
    const fake = fakeProvider({ oidc: false });
    const seen: unknown[] = [];
    function conform(this: { url?: unknown } | undefined): undefined {
      seen.push(String(this?.url));
    }
    const { token, userinfo } = fake.endpoints;
    const app = scene(door, {
      providers: [oauth(fake, { token: { url: token, conform }, userinfo: { url: userinfo, conform } } as object)],
    });
    expect(startsSession(await app.signIn(fake, { id: 'plain' }))).toBe(true);
    expect(seen).toEqual([token, userinfo]);
  });

  it('keep their profile when `userinfo.conform` returns nothing', async () => {
    const fake = fakeProvider({ oidc: false });
    const userinfo = { url: fake.endpoints.userinfo, conform: () => undefined };
    const app = scene(door, { providers: [oauth(fake, { userinfo })] });
    expect(startsSession(await app.signIn(fake, { id: 'plain' }))).toBe(true);
  });
});

describe.each(oneDoor)('conformProfile through $name', (door) => {
  const params = { scope: 'openid email', domain: 'example.com' };

  it('comes before the `profile` of the application, and knows what was asked for by configuration alone', async () => {
    const fake = fakeProvider();
    const seen: ConformContext[] = [];
    const app = scene(door, {
      providers: [
        oidc(fake, {
          authorization: { url: `${fake.endpoints.authorization}?prompt=login`, params },
          conformProfile(profile, context) {
            seen.push(context);
            return { ...profile, nick: 'conformed' };
          },
          profile: ({ sub, nick }) => ({ id: String(sub), name: String(nick) }),
        }),
      ],
    });
    const started = await app.post('signin/fake?theme=dark&login_hint=ada');
    expect(asked(started)).toMatchObject({ domain: 'example.com', theme: 'dark', login_hint: 'ada' });
    expect(startsSession(await app.finish(await fake.authorize(started.location ?? '')))).toBe(true);
    expect(await app.session()).toMatchObject({ user: { name: 'conformed' } });
    const [context] = seen;
    expect(context?.asked).toEqual({ ...params, prompt: 'login' });
    expect(context?.params).toMatchObject({ code: expect.any(String), state: expect.any(String) });
    expect(context?.tokens.access_token).toEqual(expect.any(String));
    expect(context?.provider.fetch).toEqual(expect.any(Function));
  });

  it('can refuse, and the visitor reads that access is denied', async () => {
    const fake = fakeProvider();
    const refuse = (): never => {
      throw new AccessDenied('of another domain');
    };
    const app = scene(door, { providers: [oidc(fake, { conformProfile: refuse })] });
    const page = await app.signIn(fake);
    expect(leadsTo(page)).toBe('/auth/error?error=AccessDenied');
    expect(startsSession(page)).toBe(false);
  });

  it('does not sign in when it fails', async () => {
    const fake = fakeProvider();
    const fail = (): never => {
      throw new TypeError('of undefined');
    };
    const app = scene(door, { providers: [oidc(fake, { conformProfile: fail })] });
    expectRefused(app, await app.signIn(fake), 'OAuthCallbackError');
  });

  it('has the last word on whether the address is verified', async () => {
    const fake = fakeProvider();
    const adapter = memoryAdapter();
    const conformProfile = (profile: Profile): Profile => ({ ...profile, email_verified: false });
    const app = scene(door, { providers: [oidc(fake, { conformProfile })], adapter });
    expectRefused(app, await app.signIn(fake), 'OAuthCreateAccount');
  });
});

describe.each(oneDoor)('a profile without an address through $name', (door) => {
  it('is not refused because the address that it does not tell is unverified', async () => {
    const fake = fakeProvider();
    const withoutAddress = (claims: object): Record<string, unknown> => ({
      ...claims,
      email: undefined,
      email_verified: false,
    });
    fake.overrides.idToken = { claims: withoutAddress };
    fake.overrides.userinfo = withoutAddress;
    const adapter = memoryAdapter();
    const app = scene(door, { providers: [oidc(fake)], adapter });
    expect(startsSession(await app.signIn(fake))).toBe(true);
    expect(adapter.dump().users).toHaveLength(1);
  });
});

describe.each(oneDoor)('tokenIssuer through $name', (door) => {
  /** The metadata names a pattern, the tokens their tenant. */
  function tenants(tenant: string): ReturnType<typeof fakeProvider> {
    const fake = fakeProvider({ issuer: 'https://idp.test/common' });
    fake.overrides.discovery = ({ authorization_response_iss_parameter_supported: _, ...metadata }) => ({
      ...metadata,
      issuer: 'https://idp.test/{tenant}',
    });
    fake.overrides.idToken = { claims: (claims) => ({ ...claims, iss: `https://idp.test/${tenant}`, tenant: 'one' }) };
    return fake;
  }
  const tokenIssuer: NonNullable<OIDCConfig<Profile>['tokenIssuer']> = (issuer, claims) =>
    issuer.replace('{tenant}', String(claims['tenant']));

  /** Comes back with this `iss`, or none. */
  async function comeBack(app: Scene, fake: ReturnType<typeof fakeProvider>, iss?: string): Promise<Page> {
    const address = new URL(await fake.authorize((await app.begin()).location ?? ''));
    address.searchParams.delete('iss');
    if (iss) address.searchParams.set('iss', iss);
    return app.finish(address.href);
  }

  it.each([undefined, 'https://idp.test/one'])(
    "accepts a token of its tenant's issuer; the callback says %s",
    async (iss) => {
      const fake = tenants('one');
      const app = scene(door, { providers: [oidc(fake, { tokenIssuer })] });
      expect(startsSession(await comeBack(app, fake, iss))).toBe(true);
    },
  );

  it.each([
    ['token', 'two', undefined],
    ['callback', 'one', 'https://idp.test/two'],
    ['callback', 'one', 'https://idp.test/{tenant}'],
  ])("refuses a %s of another tenant's issuer", async (_, tenant, iss) => {
    const fake = tenants(tenant);
    const app = scene(door, { providers: [oidc(fake, { tokenIssuer })] });
    expectRefused(app, await comeBack(app, fake, iss), 'OAuthCallbackError');
  });

  it('does not lend its metadata to a provider that compares the issuer', async () => {
    const fake = tenants('one');
    const strict = oidc(fake, { id: 'strict' });
    const app = scene(door, { providers: [oidc(fake, { tokenIssuer }), strict] });
    expect((await app.begin()).location).toContain(fake.endpoints.authorization);
    expect(leadsTo(await app.begin('strict'))).toBe('/auth/signin?error=OAuthSignin');
  });

  it('does not report a configuration error if the provider is unavailable', async () => {
    const fake = tenants('one');
    fake.misbehave({ discovery: { status: 503, body: 'down' } });
    const app = scene(door, { providers: [oidc(fake, { tokenIssuer })] });
    expect(leadsTo(await app.begin())).toBe('/auth/signin?error=OAuthSignin');
  });

  it.each(['no.token', 'nothing', 'a.bnVsbA.c', undefined])(
    'leaves a token that cannot be read, %j, to the checks, and is not asked',
    async (id_token) => {
      const fake = tenants('one');
      fake.overrides.token = (answer) => ({ ...answer, id_token });
      const app = scene(door, { providers: [oidc(fake, { tokenIssuer: () => expect.unreachable() })] });
      expectRefused(app, await comeBack(app, fake), 'OAuthCallbackError');
      expect(app.log.errors[0]?.cause?.['code']).toMatch(/^OAUTH_/);
    },
  );
});

describe('AUTH_<ID>_ISSUER', () => {
  const env = { AUTH_SECRET: SECRET, AUTH_GOOGLE_ISSUER: 'https://env.test', AUTH_FAKE_ISSUER: 'https://env.test' };
  const issuerOf = (provider: object): unknown => {
    const config = { providers: [provider] } as unknown as AuthConfig;
    setEnvDefaults(env, config, true);
    const [made] = config.providers as unknown as [{ issuer?: string; options?: { issuer?: string } }];
    return made.options?.issuer ?? made.issuer;
  };

  it('comes before the issuer that a factory has by default, called or not', () => {
    expect(issuerOf(Google)).toBe('https://env.test');
    expect(issuerOf(Google({ clientId: 'id', clientSecret: DEFAULT_SECRET }))).toBe('https://env.test');
  });

  it('comes after the issuer that the application names', () => {
    expect(issuerOf(Google({ issuer: 'https://own.test' }))).toBe('https://own.test');
    const fake = fakeProvider({ issuer: 'https://own.test' });
    expect(issuerOf({ ...oidc(fake), [customFetch]: fake.fetch })).toBe('https://own.test');
  });
});
