// The type of the session is what `callbacks.session` returns. `bind` stands for the bindings.
import { Auth, type AuthConfig, defineConfig } from '@latchkey/core';
import type { AdapterUser } from '@latchkey/core/adapters';
import type { JWT } from '@latchkey/core/jwt';
import type { Awaitable, ConfigWith, DefaultSession, Session, SessionFrom } from '@latchkey/core/types';
import { exactly } from './assert.ts';

interface Bound<S> {
  auth: () => Promise<S | null>;
  handlers: { GET: (request: Request) => Promise<Response> };
}
declare function bind<S extends DefaultSession = Session>(
  config: ConfigWith<S> | ((request: Request | undefined) => Awaitable<ConfigWith<S>>),
): Bound<SessionFrom<S>>;
declare function roleOf(token: JWT): 'admin' | 'user';

/** The session of a binding, without the `null`. */
type Of<B extends Bound<unknown>> = NonNullable<Awaited<ReturnType<B['auth']>>>;
declare function session<B extends Bound<unknown>>(bound: B): Of<B>;

const providers: AuthConfig['providers'] = [];

// Members that the callback adds; destructured and exported as applications do, so that declarations are emitted.
export const { auth, handlers } = bind({
  providers,
  callbacks: {
    session({ session, token, user, trigger }) {
      exactly<JWT>()(token);
      exactly<AdapterUser>()(user);
      exactly<'update' | undefined>()(trigger);
      return { ...session, role: roleOf(token) };
    },
  },
});
export const isAlsoASession: () => Promise<Session | null> = auth;
declare const added: Of<{ auth: typeof auth; handlers: typeof handlers }>;
exactly<'admin' | 'user'>()(added.role);
exactly<string>()(added.expires);
exactly<Session['user']>()(added.user);
// There with one strategy only.
exactly<string | undefined>()(added.sessionToken);
exactly<string | undefined>()(added.userId);

// An async callback, and one that builds everything anew.
export const built = bind({
  providers,
  callbacks: {
    session: async ({ session, token }) => ({
      user: { id: token.sub ?? '', role: roleOf(token) },
      expires: session.expires,
    }),
  },
});
exactly<'admin' | 'user'>()(session(built).user.role);
exactly<string>()(session(built).user.id);
exactly<string>()(session(built).expires);

// A user that the callback extends keeps what it was given.
export const extended = bind({
  providers,
  callbacks: { session: ({ session, token }) => ({ ...session, user: { ...session.user, id: `${token.sub}` } }) },
});
exactly<string>()(session(extended).user.id);

// The session as it came.
export const untouched = bind({
  providers,
  callbacks: {
    session({ session, token }) {
      session.user.id = token.sub ?? '';
      return session;
    },
  },
});
exactly<Session['user']>()(session(untouched).user);
exactly<string>()(session(untouched).expires);

// A configuration made when it is needed.
export const lazy = bind(() => ({
  providers,
  callbacks: { session: ({ session }) => ({ ...session, kind: 'lazy' as const }) },
}));
exactly<'lazy'>()(session(lazy).kind);
export const lazyAsync = bind(async (request) => {
  exactly<Request | undefined>()(request);
  return { providers, callbacks: { session: ({ session }) => ({ ...session, kind: 'async' as const }) } };
});
exactly<'async'>()(session(lazyAsync).kind);

// Several returns are a union.
export const several = bind({
  providers,
  callbacks: {
    session({ session, token }) {
      if (roleOf(token) === 'user') return { expires: session.expires, role: 'user' as const };
      return { expires: session.expires, role: 'admin' as const, rights: ['all'] };
    },
  },
});
const one = session(several);
exactly<'admin' | 'user'>()(one.role);
if (one.role === 'admin') exactly<string[]>()(one.rights);

// `satisfies`, and a configuration laid over another one.
const satisfying = {
  providers,
  callbacks: { session: ({ session }) => ({ ...session, n: 1 }) },
} satisfies AuthConfig;
export const satisfied = bind(satisfying);
exactly<number>()(session(satisfied).n);
const base: AuthConfig = { providers, callbacks: { jwt: ({ token }) => token } };
export const spread = bind({
  ...base,
  callbacks: { ...base.callbacks, session: ({ session }) => ({ ...session, n: 2 }) },
});
exactly<number>()(session(spread).n);

// A configuration that does not name the session's type gives `Session`.
exactly<Bound<Session>>()(bind(base));
exactly<Bound<Session>>()(bind({ ...base, callbacks: { session: ({ session }): Session => session } }));
exactly<Bound<Session>>()(bind({ providers }));
exactly<Bound<Session>>()(bind({ providers, callbacks: {} }));
exactly<Bound<Session>>()(bind(() => ({ providers })));
exactly<Bound<Session>>()(bind({ providers, callbacks: { jwt: ({ token }) => token, signIn: () => true } }));

// Mistakes are errors.
// @ts-expect-error
bind({ providers, secrets: 'x' });
// @ts-expect-error
bind({ providers, callbacks: { sesion: () => ({ expires: '' }) } });
// @ts-expect-error
bind({ providers, callbacks: { session: () => ({ user: {} }) } });
// @ts-expect-error
session(built).user.rolle;
export const environment = bind({ providers, secret: process.env['AUTH_SECRET'], callbacks: { session: undefined } });
exactly<Bound<Session>>()(environment);

// A configuration in a variable.
const defined = defineConfig({
  providers: [],
  session: { strategy: 'jwt' },
  callbacks: { session: ({ session, token }) => ({ ...session, role: roleOf(token) }) },
});
exactly<'admin' | 'user'>()(session(bind(defined)).role);
Auth(new Request('https://app.example/auth/session'), defined);
