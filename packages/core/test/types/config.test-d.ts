import { Auth, type AuthConfig, createActionURL, isAuthAction, raw, setEnvDefaults } from '@latchkey/core';
import { type AccountWay, accountsOf, type ChangedWays, type UserAccounts } from '@latchkey/core/account';
import type { AdapterUser } from '@latchkey/core/adapters';
import { decode, encode, getToken, type JWT } from '@latchkey/core/jwt';
import GitHub from '@latchkey/core/providers/github';
import { sessionsOf, type UserSessions } from '@latchkey/core/sessions';
import type {
  Account,
  AuthAction,
  EndedSessions,
  Profile,
  ResponseInternal,
  SessionFacts,
  SessionInfo,
  SessionRecords,
  User,
} from '@latchkey/core/types';
import { exactly } from './assert.ts';

declare const maybe: string | undefined;
declare const request: Request;
declare const store: SessionRecords;

// Optional properties may also be undefined, as a variable of the environment is.
export const fromEnvironment: AuthConfig = {
  providers: [GitHub({ clientId: maybe, clientSecret: maybe }), GitHub, () => GitHub()],
  secret: maybe,
  redirectProxyUrl: maybe,
  basePath: maybe,
  adapter: undefined,
  debug: undefined,
  trustHost: undefined,
  session: {
    strategy: undefined,
    maxAge: undefined,
    maxLifetime: undefined,
    generateSessionToken: undefined,
    records: undefined,
  },
  jwt: { secret: maybe ?? [], maxAge: undefined, encode: undefined },
  pages: { signIn: maybe, error: undefined, sessions: maybe },
  theme: { logo: maybe, colorScheme: undefined },
  callbacks: { signIn: undefined },
  events: { signOut: undefined },
  logger: { debug: undefined },
  cookies: { sessionToken: { name: 'sid', options: { domain: maybe } }, state: undefined },
};

// Parameters are typed by their place.
export const inContext: AuthConfig = {
  providers: [],
  adapter: async () => ({ getUser: (id) => (exactly<string>()(id) === '' ? null : Promise.resolve(null)) }),
  callbacks: {
    signIn({ user, account, profile, email, credentials }) {
      exactly<User | AdapterUser>()(user);
      exactly<Account | null | undefined>()(account);
      exactly<Profile | undefined>()(profile);
      exactly<boolean | undefined>()(email?.verificationRequest);
      exactly<unknown>()(credentials?.['password']);
      return user.email?.endsWith('@example.com') ? true : '/refused';
    },
    redirect: ({ url, baseUrl }) => (url.startsWith(baseUrl) ? url : baseUrl),
    session({ session, token, user, newSession, trigger, facts }) {
      exactly<() => Promise<SessionFacts | null>>()(facts);
      exactly<JWT>()(token);
      exactly<AdapterUser>()(user);
      exactly<'update' | undefined>()(trigger);
      // As applications for Auth.js v5 write it.
      if (trigger === 'update') session.user.name = newSession.name;
      session.user.id = token.sub ?? user.id;
      return session;
    },
    async jwt({ token, trigger, session, profile, account, user }) {
      exactly<'signIn' | 'signUp' | 'update' | undefined>()(trigger);
      exactly<number | undefined>()(account?.expires_at);
      if (trigger === 'update' && session?.name) token.name = session.name;
      token.picture = profile?.picture;
      token['role'] = user ? 'user' : null;
      return trigger === 'update' ? token : null;
    },
  },
  events: {
    signIn: ({ user, isNewUser }) => void [exactly<User>()(user), exactly<boolean | undefined>()(isNewUser)],
    signOut: (message) => void ('token' in message ? message.token?.sub : message.session?.userId),
  },
  logger: { warn: (code) => void code.startsWith('env-'), error: ({ message }) => void message, debug: console.debug },
  jwt: {
    encode: async ({ token, salt, maxAge }) => `${token?.sub}${salt.length}${maxAge?.toFixed()}`,
    decode: ({ token }) => ({ sub: token }),
  },
};

// A misspelled member is an error, on each level.
// @ts-expect-error
export const topLevel: AuthConfig = { providers: [], secrets: 'x' };
// @ts-expect-error
export const inSession: AuthConfig = { providers: [], session: { maxAges: 1 } };
// @ts-expect-error
export const inCallbacks: AuthConfig = { providers: [], callbacks: { signin: () => true } };
// @ts-expect-error
export const inEvents: AuthConfig = { providers: [], events: { signout: () => undefined } };
// @ts-expect-error
export const inPages: AuthConfig = { providers: [], pages: { signin: '/in' } };
// @ts-expect-error
export const inCookies: AuthConfig = { providers: [], cookies: { session: {} } };
// @ts-expect-error
export const inPrefix: AuthConfig = { providers: [], cookies: { prefix: '__Secure-' } };
// @ts-expect-error
export const inMigration: AuthConfig = { providers: [], cookies: { prefix: '__Host-', migrate: { from: '2027' } } };
// @ts-expect-error
export const inTheme: AuthConfig = { providers: [], theme: { color: '#000' } };
// @ts-expect-error
export const inProvider: AuthConfig = { providers: [{ id: 'x', name: 'X', type: 'oauth', userInfo: 'https://x' }] };
// @ts-expect-error
export const inOptions: AuthConfig = { providers: [GitHub({ clientID: 'x' })] };
// @ts-expect-error
export const wrongResult: AuthConfig = { providers: [], callbacks: { signIn: () => 1 } };

exactly<Promise<Response>>()(Auth(request, inContext));
exactly<Promise<ResponseInternal>>()(Auth(request, { ...inContext, raw }));
setEnvDefaults(process.env, inContext, true);
exactly<URL>()(createActionURL('signin', 'https', request.headers, process.env, { basePath: '/auth' }));
if (isAuthAction(request.url)) exactly<AuthAction>()('signin' as typeof request.url & AuthAction);

exactly<Promise<string>>()(encode({ token: { role: 'admin' }, secret: ['a', 'b'], salt: 's', maxAge: undefined }));
exactly<Promise<{ role: string } | null>>()(decode<{ role: string }>({ token: maybe, secret: 'a', salt: 's' }));
exactly<Promise<JWT | null>>()(getToken({ req: request, secret: maybe }));
exactly<Promise<string>>()(getToken({ req: { headers: { cookie: 'a=b' } }, raw: true, logger: console }));

// The accounts of users.
export const withAccount: AuthConfig = {
  providers: [],
  account: {
    page: false,
    without: ['delete', 'mails'],
    hasPassword: async ({ id }) => id !== '1',
    beforeDelete: ({ email }) => void email.trim(),
    exportMore: async () => ({ orders: [] }),
  },
  pages: { account: maybe },
  events: { unlinkAccount: ({ user, account }) => void [user.id, account.provider] },
};
export const allOfAccount: AuthConfig = { providers: [], account: true };
// @ts-expect-error: `name` is not a feature
export const inAccount: AuthConfig = { providers: [], account: { without: ['name'] } };
exactly<UserAccounts>()(accountsOf(withAccount));
exactly<Promise<AccountWay[]>>()(accountsOf(withAccount, { AUTH_SECRET: maybe }).list('1'));
exactly<Promise<ChangedWays>>()(accountsOf(withAccount).unlink('1', 'id'));

// The sessions of users.
export const withRecords: AuthConfig = {
  providers: [],
  session: {
    records: { store, revocationLag: 0, maxPerUser: 3, label: (headers) => headers.get('x-device') ?? undefined },
  },
  events: { sessionEnded: ({ userId, id, reason }) => void [userId, id, reason].map((text) => text.trim()) },
};
exactly<UserSessions>()(sessionsOf(withRecords));
exactly<Promise<SessionInfo[]>>()(sessionsOf(withRecords, { AUTH_SECRET: maybe }).list('1'));
exactly<Promise<EndedSessions>>()(
  sessionsOf(withRecords).endAll('1', { except: maybe, provider: maybe, reason: maybe }),
);
// @ts-expect-error: lists are of one user
void sessionsOf(withRecords).list();
