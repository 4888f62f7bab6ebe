import type { ExpressAuthConfig } from '@latchkey/express';
import Credentials from '@latchkey/express/providers/credentials';
import { say } from '../answers.ts';
import { client, LAG, type Mode, modes, passwordOf } from '../people.ts';
import type { Stores } from './stores.ts';

/** Seconds. Short, so that sessions are extended all the time. */
const UPDATE_AGE = 2;
const MAX_AGE = 3600;

/** A configuration for each mode. The secrets come from the environment. */
export function authConfigs(issuer: string, stores: Stores): Readonly<Record<Mode, ExpressAuthConfig>> {
  const configs = modes.map((mode) => [mode, authConfig(mode, issuer, stores)] as const);
  return Object.fromEntries(configs) as Record<Mode, ExpressAuthConfig>;
}

function authConfig(mode: Mode, issuer: string, stores: Stores): ExpressAuthConfig {
  return {
    adapter: stores.adapters[mode],
    basePath: `/${mode}/auth`,
    trustHost: true,
    session: {
      strategy: mode === 'jwt' ? 'jwt' : 'database',
      maxAge: MAX_AGE,
      updateAge: UPDATE_AGE,
      records: { store: stores.records[mode], ...(mode === 'jwt' && { revocationLag: LAG }) },
    },
    // Aborted requests count as failures, and all visitors have the same address.
    rateLimit: { store: stores.rateLimits, credentials: { limit: 1000 }, email: { limit: 1000 } },
    providers: providersOf(issuer, stores.users),
    callbacks: {
      jwt({ token, trigger, session }) {
        return trigger === 'update' ? { ...token, name: String(session?.name) } : token;
      },
      async session({ session, token, user, trigger, newSession }) {
        if (mode === 'jwt') return { expires: session.expires, user: { ...session.user, id: token.sub } };
        const name = trigger === 'update' ? String(newSession?.name) : user.name;
        if (trigger === 'update') await stores.users.updateUser({ id: user.id, name });
        return {
          expires: new Date(session.expires).toISOString(),
          user: { id: String(user.id), email: user.email, name },
        };
      },
    },
    logger: {
      error: (error) => console.error(`${mode} ${error.name}: ${error.message} | ${String(causeOf(error))}`),
      warn: () => undefined,
      debug: () => undefined,
    },
  };
}

function providersOf(issuer: string, users: Stores['users']): ExpressAuthConfig['providers'] {
  return [
    {
      id: 'idp',
      name: 'Provider',
      type: 'oidc',
      issuer,
      clientId: client.client_id,
      clientSecret: client.client_secret,
      checks: ['pkce', 'state', 'nonce'],
      authorization: { params: { prompt: 'login' } },
    },
    {
      id: 'mail',
      name: 'a mailed link',
      type: 'email',
      sendVerificationRequest: ({ identifier, url }) => say({ to: identifier, url }),
    },
    Credentials({
      credentials: { email: {}, password: { type: 'password' } },
      async authorize({ email, password }) {
        const address = String(email);
        if (password !== passwordOf(address)) return null;
        const known = await users.getUserByEmail(address);
        return known ?? users.createUser({ id: crypto.randomUUID(), email: address, emailVerified: null });
      },
    }),
  ];
}

function causeOf(error: Error): unknown {
  const { err } = (error.cause ?? {}) as { err?: Error };
  return err?.cause instanceof Object && 'err' in err.cause ? err.cause.err : (err ?? '');
}
