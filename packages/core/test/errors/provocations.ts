import { MemorySessionRecords, MemoryTokenVault, memoryAdapter, SoftwareAuthenticator } from '@latchkey/testing';
import { vi } from 'vitest';
import { Auth } from '../../src/auth.ts';
import { signOut } from '../../src/binding/server-call.ts';
import { tokensOfVisitor } from '../../src/binding/tokens.ts';
import { copyWithEnv, setEnvDefaults, withEnv } from '../../src/config/env.ts';
import { reportConfig } from '../../src/config/report.ts';
import { createActionURL } from '../../src/entry/route.ts';
import type { AuthError } from '../../src/errors.ts';
import Credentials from '../../src/providers/credentials.ts';
import GitHub from '../../src/providers/github.ts';
import Passkey from '../../src/providers/passkey.ts';
import { skipCSRFCheck } from '../../src/symbols.ts';
import type { Adapter } from '../../src/types/adapter.ts';
import type { AuthConfig } from '../../src/types/config.ts';
import type { LegacyReader } from '../../src/types/legacy.ts';
import { visitor } from '../binding/visitor.ts';
import { doors } from '../flows/doors.ts';
import { passkeyScene } from '../flows/passkey-scene.ts';
import { fakeProvider, type Log, log, oauth, oidc, type Scene, SECRET, scene } from '../flows/scene.ts';
import { type MemoryStore, memoryStore } from '../flows/store.ts';
import { owner, verificationScene } from '../flows/verification-scene.ts';

/** Does what provokes an error or warning; resolves to the types or codes that were logged. */
type Provocation = () => Promise<string[]>;

const door = doors[0] as (typeof doors)[number];
const fake = fakeProvider();
const fail = (): never => {
  throw new Error('provoked');
};

async function afterAll(config: object, act: (app: Scene) => Promise<unknown>): Promise<string[]> {
  const app = scene(door, { providers: [oidc(fake)], ...config } as Partial<AuthConfig>);
  await act(app);
  return app.log.types();
}

const get = (path: string) => (app: Scene) => app.browser.get(path);
const post = (path: string) => (app: Scene) => app.browser.post(path, {});
const signIn = (app: Scene): Promise<unknown> => app.signIn(fake);
const misconfigured = (config: object): Promise<string[]> => afterAll(config, get('/auth/csrf'));

function withFault(method: keyof Adapter, when: 'before' | 'after' = 'before'): { store: MemoryStore; config: object } {
  const store = memoryStore();
  store.faults[method as 'getUser'] = when;
  return { store, config: { adapter: store.adapter, session: { strategy: 'jwt' } } };
}

function mail(more: Partial<Adapter> = {}, send: () => void = () => undefined): object {
  const adapter = {
    ...memoryStore().adapter,
    createVerificationToken: () => null,
    useVerificationToken: () => null,
    ...more,
  };
  const provider = { id: 'mail', name: 'Mail', type: 'email', from: 'a@b.test', sendVerificationRequest: send };
  return { adapter, session: { strategy: 'jwt' }, providers: [provider] };
}

const passkeys = { adapter: memoryAdapter(), experimental: { enableWebAuthn: true } };

const account = { adapter: memoryAdapter(), account: { without: ['mails'] } };

export const provokeError: Readonly<Record<string, Provocation>> = {
  AccessDenied: () => afterAll({ callbacks: { signIn: () => false } }, signIn),
  AccountReassigned: () => {
    let id = 'first';
    const config = { adapter: memoryAdapter(), providers: [oidc(fake, { stableId: () => id })] };
    return afterAll(config, async (app) => {
      await app.signIn(fake);
      id = 'second';
      await app.signIn(fake, { browser: app.visitor() });
    });
  },
  AccountNotLinked: async () => {
    const app = passkeyScene(door);
    await app.register();
    const bobs = new SoftwareAuthenticator();
    const bob = app.visitor();
    await app.register('bob@example.com', { browser: bob, authenticator: bobs });
    const { options } = await app.options({ action: 'authenticate' }, bob);
    const answer = app.phone.get({ ...options, allowCredentials: [] }, bob.origin);
    await app.answer('authenticate', answer, { browser: bob });
    return app.log.types();
  },
  AdapterError: () => afterAll(withFault('getUserByAccount').config, signIn),
  AuthError: () => misconfigured({ providers: {} }),
  CallbackRouteError: () => afterAll({ callbacks: { jwt: fail } }, signIn),
  CookiesNotWritable: async () => {
    const { configured, readOnly } = visitor();
    const error = await signOut(configured, readOnly()).catch((reason: unknown) => reason);
    return [(error as AuthError).type];
  },
  CredentialsSignin: () =>
    afterAll({ providers: [Credentials({ authorize: () => null })] }, (app) => app.post('callback/credentials')),
  DuplicateConditionalUI: () => misconfigured({ ...passkeys, providers: [Passkey, Passkey({ id: 'other' })] }),
  EmailCreateAccountError: () =>
    afterAll(
      mail({ useVerificationToken: (used) => ({ ...used, expires: new Date('2100-01-01') }), createUser: fail }),
      get('/auth/callback/mail?token=x&email=a%40b.test'),
    ),
  EmailSignInError: () => afterAll(mail({}, fail), (app) => app.post('signin/mail', { email: 'a@b.test' })),
  ErrorPageLoop: () => afterAll({ secret: '', pages: { error: '/oops' } }, get('/auth/signin?callbackUrl=/oops')),
  EventError: () => afterAll({ events: { signIn: fail } }, signIn),
  ExperimentalFeatureNotEnabled: () => misconfigured({ providers: [Passkey] }),
  InvalidCallbackUrl: () => afterAll({ callbacks: { redirect: fail } }, get('/auth/signin?callbackUrl=/x')),
  InvalidCheck: () => afterAll({}, get('/auth/callback/fake?code=x&state=y')),
  InvalidEndpoints: () => misconfigured({ providers: [oidc(fake, { issuer: undefined })] }),
  InvalidProvider: () => afterAll({}, get('/auth/callback/unknown')),
  JWTSessionError: () =>
    afterAll({}, async (app) => {
      app.browser.cookies.set('authjs.session-token', 'garbage');
      await app.session();
    }),
  LegacySessionError: () =>
    afterAll({ legacy: [oldReader(30)] }, async (app) => {
      app.browser.cookies.set('sid', 'old');
      await app.session();
    }),
  LogoutTokenError: () =>
    afterAll(
      { session: { records: { store: MemorySessionRecords() } }, logout: { backchannel: true } },
      post('/auth/logout/fake'),
    ),
  MissingAdapter: () => misconfigured({ session: { strategy: 'database' } }),
  MissingAdapterMethods: () => misconfigured({ adapter: {} }),
  MissingAuthorize: () => misconfigured({ providers: [{ id: 'c', name: 'C', type: 'credentials' }] }),
  MissingCSRF: () => afterAll({}, post('/auth/signout')),
  MissingSecret: () => misconfigured({ secret: undefined }),
  MissingWebAuthnAutocomplete: () => misconfigured({ ...passkeys, providers: [Passkey({ formFields: {} })] }),
  OAuthAccountNotLinked: () => {
    const { adapter } = memoryStore();
    const config = { adapter, session: { strategy: 'jwt' }, providers: [oidc(fake), oidc(fake, { id: 'second' })] };
    return afterAll(config, async (app) => {
      await app.signIn(fake);
      await app.signIn(fake, { id: 'second', browser: app.visitor() });
    });
  },
  OAuthCallbackError: () => afterAll({}, get('/auth/callback/fake?error=server_error')),
  OAuthCreateAccountError: () => afterAll(withFault('createUser').config, signIn),
  OAuthProfileParseError: () => afterAll({ providers: [oidc(fake, { profile: fail })] }, signIn),
  OAuthSignInError: () => {
    const down = fakeProvider();
    down.faults.discovery = { throw: true };
    return afterAll({ providers: [oidc(down)] }, (app) => app.begin());
  },
  RateLimited: () =>
    afterAll(
      { providers: [Credentials({ authorize: () => null })], rateLimit: { credentials: { limit: 1 } } },
      async (app) => {
        await app.post('callback/credentials', { username: 'ada' });
        await app.post('callback/credentials', { username: 'ada' });
      },
    ),
  LastWayIn: () =>
    afterAll(account, async (app) => {
      await app.signIn(fake);
      const page = await app.browser.get('/auth/account', { headers: { accept: 'application/json' } });
      await app.post('account/unlink', { id: page.json<{ ways: { id: string }[] }>().ways[0]?.id });
    }),
  TooManyWays: () =>
    afterAll(account, async (app) => {
      await app.signIn(fake);
      const userId = account.adapter.dump().users.at(-1)?.id ?? '';
      const ids = Array.from({ length: 49 }, (_, index) => `${userId}-${index}`);
      for (const id of ids)
        await account.adapter.linkAccount({ provider: 'old', providerAccountId: id, type: 'oidc', userId });
      await app.signIn(fake, { consent: { user: { sub: 'another' } } });
    }),
  RecentSignInRequired: () => afterAll(account, (app) => app.post('account/name', { name: 'Ada' })),
  TokensUnavailable: () => {
    const store = MemoryTokenVault();
    store.fail('read', { times: 9 });
    return afterAll({ tokens: { store } }, signIn);
  },
  SessionRecordsError: () => misconfigured({ session: { records: true } }),
  SessionTokenError: () =>
    afterAll({ adapter: { ...memoryStore().adapter, getSessionAndUser: fail } }, async (app) => {
      app.browser.cookies.set('authjs.session-token', 'x');
      await app.session();
    }),
  SignOutError: () =>
    afterAll({}, async (app) => {
      app.browser.cookies.set('authjs.session-token', 'garbage');
      await app.post('signout');
    }),
  UnknownAction: () => afterAll({}, post('/auth/error')),
  UnsupportedStrategy: () => misconfigured({ session: { strategy: 'redis' } }),
  UntrustedHost: () => misconfigured({ trustHost: false }),
  AccountChanged: async () => {
    const app = verificationScene(door);
    await app.start();
    await app.comeBack(await app.type(), { ...owner, sub: 'another' });
    return app.log.types();
  },
  Verification: () => afterAll(mail(), get('/auth/callback/mail?token=x&email=a%40b.test')),
  WebAuthnVerificationError: async () => {
    const app = passkeyScene(door);
    await app.register('ada@example.com', { lies: { origin: 'https://evil.test' } });
    return app.log.types();
  },
};

/** A reader of old sessions that fails. */
const oldReader = (daysAhead: number): LegacyReader => ({
  name: 'old',
  cookies: ['sid'],
  until: new Date(Date.now() + daysAhead * 86_400_000),
  read: fail,
});

async function warned(
  config: object,
  act: (app: Scene) => Promise<unknown> = (app) => app.session(),
): Promise<string[]> {
  const app = scene(door, { providers: [oidc(fake)], ...config } as Partial<AuthConfig>);
  await act(app);
  return app.log.warnings.map(([code]) => String(code));
}

export const provokeWarning: Readonly<Record<string, Provocation>> = {
  'account-columns-stale': () => {
    const { updateAccount: _, ...adapter } = memoryAdapter();
    return warned({ adapter, tokens: { store: MemoryTokenVault() } }, get('/auth/csrf'));
  },
  'refresh-token-dropped': () => {
    const providers = [oidc(fake, { account: ({ access_token }) => ({ access_token }) })];
    return warned({ providers, tokens: { store: MemoryTokenVault() } }, signIn);
  },
  'token-cookie-size': () => {
    const providers = [oidc(fake, { account: (tokens) => ({ ...tokens, access_token: 'x'.repeat(9000) }) })];
    return warned({ providers, tokens: { store: 'cookie' } }, signIn);
  },
  'token-cookie-late': () => {
    const providers = [oidc(fake, { account: (tokens) => ({ ...tokens, expires_at: 1 }) })];
    return warned({ providers, tokens: { store: 'cookie' } }, async (app) => {
      await app.signIn(fake);
      const cookie = app.browser.cookies.all().map(({ name, value }) => `${name}=${value}`);
      const headers = new Headers({ cookie: cookie.join('; ') });
      const host = { origin: app.browser.origin, headers, setCookie: fail, redirect: fail };
      await tokensOfVisitor(() => ({ configured: withEnv(app.config, {}), host })).get('fake');
    });
  },
  'address-confirmed-by-mail': async () => {
    const app = verificationScene(door);
    const { email_verified: _, ...user } = owner;
    app.fake.overrides.idToken = { claims: ({ email_verified: __, ...claims }) => claims };
    await app.start(user);
    return app.log.warnings.map(([code]) => String(code));
  },
  'authentication-not-checked': () =>
    warned({ providers: [oauth(fake, { authorization: { params: { max_age: '0' } } })] }, get('/auth/csrf')),
  'csrf-disabled': () => warned({ skipCSRFCheck }, get('/auth/csrf')),
  // Only where the library writes the log itself.
  'debug-enabled': async () => {
    const lines: string[] = [];
    const write = (line: unknown): void => void lines.push(String(line));
    vi.stubGlobal('console', { log: write, warn: write, error: write });
    try {
      await warned({ debug: true, logger: undefined });
    } finally {
      vi.unstubAllGlobals();
    }
    return lines.flatMap((line) => /\[warn\]\[([\w-]+)\]/.exec(line)?.[1] ?? []);
  },
  'duplicate-cookie': () =>
    warned({ adapter: memoryAdapter(), providers: [oidc(fake), oidc(fake, { id: 'second' })] }, async (app) => {
      const other = app.visitor();
      await app.signIn(fake, { consent: { user: { sub: 'mallory', email: 'mallory@evil.example' } }, browser: other });
      await app.signIn(fake);
      const name = 'authjs.session-token';
      app.browser.cookies.set(name, other.cookies.get(name)?.value ?? '', { path: '/auth' });
      await app.signIn(fake, { id: 'second' });
    }),
  'env-url-basepath-mismatch': async () => {
    const logger = log();
    createActionURL('signin', 'https', new Headers(), { AUTH_URL: 'https://x.test/a' }, { basePath: '/b', logger });
    return logger.warnings.map(([code]) => String(code));
  },
  'env-url-basepath-redundant': async () => fromEnv({ AUTH_URL: 'https://x.test/a' }, { basePath: '/a' }),
  'env-url-invalid': async () => fromEnv({ AUTH_URL: 'x.test' }),
  'environment-late': async () => {
    const [given, logger] = await started({ NODE_ENV: 'development' });
    const { config, call } = withEnv(given, { NODE_ENV: 'development', AUTH_SECRET: SECRET });
    await Auth(new Request('http://localhost:3000/auth/csrf'), config, call);
    return logger.warnings.map(([code]) => String(code));
  },
  'experimental-webauthn': () => warned({ experimental: { enableWebAuthn: true } }),
  'id-token-not-verified': () => {
    const keyless = fakeProvider();
    keyless.overrides.discovery = (metadata) => ({ ...metadata, jwks_uri: undefined });
    return warned({ providers: [oidc(keyless)] }, (app) => app.signIn(keyless));
  },
  'no-end-session-endpoint': () =>
    warned({ logout: { provider: true } }, async (app) => {
      await signIn(app);
      await app.post('signout');
    }),
  'client-missing': async () => (await started({}, [GitHub]))[1].warnings.map(([code]) => String(code)),
  'env-url-port': async () => {
    const env = { NODE_ENV: 'development', AUTH_URL: 'http://localhost:3000', PORT: '4000' };
    return (await started(env))[1].warnings.map(([code]) => String(code));
  },
  'legacy-until-passed': () => warned({ legacy: [oldReader(-1)] }),
  'node-env-unset': async () => (await started({}))[1].warnings.map(([code]) => String(code)),
  'passkeys-not-removed': async () => {
    const { unlinkAccount: _, deleteAuthenticator: __, ...adapter } = memoryAdapter();
    const links: string[] = [];
    const sendVerificationRequest = ({ url }: { url: string }): void => void links.push(url);
    const mail = { id: 'mail', name: 'Mail', type: 'email', sendVerificationRequest } as const;
    const app = passkeyScene(
      door,
      {},
      {
        adapter: adapter as unknown as ReturnType<typeof memoryAdapter>,
        config: { providers: [Passkey({ unverifiedEmail: 'allow' }), mail] },
      },
    );
    await app.register();
    const other = app.visitor();
    await app.post('signin/mail', { email: 'ada@example.com' }, other);
    await app.finish(links[0] ?? '', other);
    return app.log.warnings.map(([code]) => String(code));
  },
  'provider-changed': async () => {
    const [logger, provider] = [log(), oidc(fake)];
    const config: AuthConfig = { providers: [provider], logger };
    const env = { NODE_ENV: 'development' };
    withEnv(config, env);
    provider.clientId = 'another';
    withEnv(config, env);
    return logger.warnings.map(([code]) => String(code));
  },
  'redirect-proxy-open': async () => {
    const config = { providers: [oidc(fake)], redirectProxyUrl: 'https://proxy.test/auth' };
    const preview = scene(door, config, { origin: 'https://preview.test', call: { isOriginFixed: true } });
    const back = await fake.authorize((await preview.begin()).location ?? '');
    const proxy = scene(door, config, { origin: 'https://proxy.test' });
    await proxy.finish(back);
    return proxy.log.warnings.map(([code]) => String(code));
  },
  'revocation-lag': () => {
    const records = { store: MemorySessionRecords(), revocationLag: 5 };
    return warned({ adapter: memoryAdapter(), session: { records } }, get('/auth/csrf'));
  },
  'session-cookie-size': () =>
    warned({ callbacks: { jwt: ({ token }: { token: object }) => ({ ...token, x: 'x'.repeat(20_000) }) } }, signIn),
  'short-secret': () => warned({ secret: 'short' }),
  'unknown-callback': () => warned({ callbacks: { signin: () => false } }),
  'unknown-option': async () => {
    const options = { call: { development: true } };
    const app = scene(door, { providers: [oidc(fake)], sesion: {} } as Partial<AuthConfig>, options);
    await app.browser.get('/auth/csrf');
    return app.log.warnings.map(([code]) => String(code));
  },
  'stable-id-not-compared': () => {
    const providers = [oidc(fake, { stableId: ({ sub }) => sub ?? undefined })];
    const adapter = memoryStore().adapter;
    return warned({ providers, adapter }, async (app) => {
      await signIn(app);
      await signIn(app);
    });
  },
};

/** Starts an application with this environment. Returns its configuration and its log. */
async function started(
  env: Record<string, string>,
  providers: AuthConfig['providers'] = [],
): Promise<[AuthConfig, Log]> {
  const logger = log();
  const given: AuthConfig = { providers, logger };
  const { config, call } = copyWithEnv(given, env, '/auth');
  await reportConfig(given, { config, env, origin: call.origin });
  return [given, logger];
}

function fromEnv(env: Record<string, string>, config: Partial<AuthConfig> = {}): string[] {
  const logger = log();
  setEnvDefaults(env, { providers: [], logger, ...config });
  return logger.warnings.map(([code]) => String(code));
}
