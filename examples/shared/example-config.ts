import { DatabaseSync } from 'node:sqlite';
import { SqlAdapter } from '@latchkey/adapter-sql';
import type { AuthConfig } from '@latchkey/core';
import Credentials from '@latchkey/core/providers/credentials';
import Nodemailer from '@latchkey/core/providers/nodemailer';
import Passkey from '@latchkey/core/providers/passkey';
import { findDemoUser } from './demo-user.ts';

type Store = ReturnType<typeof SqlAdapter>;

let opened: Store | undefined;

/** Returns the store of users, accounts and sessions, a SQLite file. The first call opens it. */
function store(): Store {
  opened ??= SqlAdapter(new DatabaseSync(process.env['DATABASE_FILE'] ?? 'example.sqlite', { timeout: 5000 }));
  return opened;
}

/**
 * The configuration that the examples of all frameworks share. The secret, the provider's issuer and the mail server
 * come from the environment: `AUTH_SECRET`, `AUTH_DEMO_ISSUER`, `EMAIL_SERVER`. `SESSION_STRATEGY=database` keeps the
 * sessions in the store.
 *
 * @param framework Its name, which the sign-in page shows.
 */
export function exampleConfig(framework: string): AuthConfig {
  return {
    // A function, so that a build does not open the database.
    adapter: store,
    session: { strategy: process.env['SESSION_STRATEGY'] === 'database' ? 'database' : 'jwt' },
    theme: { name: `${framework} example`, favicon: '/favicon.ico' },
    experimental: { enableWebAuthn: true },
    providers: [
      {
        id: 'demo',
        name: 'Demo Provider',
        type: 'oidc',
        checks: ['pkce', 'state', 'nonce'],
        // The provider asks for the login each time, so that one browser can try several users.
        authorization: { params: { prompt: 'login' } },
        style: { brandColor: '#1f55c4' },
      },
      Nodemailer({ server: process.env['EMAIL_SERVER'] ?? 'smtp://localhost', code: true }),
      Credentials({
        name: 'a password',
        credentials: {
          login: { label: 'Login', autocomplete: 'username', required: true },
          password: { label: 'Password', type: 'password', autocomplete: 'current-password', required: true },
        },
        authorize: ({ login, password }) => findDemoUser(store(), login, password),
      }),
      // Visitors of an example try passkeys with any address. Leave the option out in your application.
      Passkey({ unverifiedEmail: 'allow' }),
    ],
    callbacks: {
      jwt({ token, trigger, session }) {
        const name = trigger === 'update' ? newName(session) : undefined;
        return name ? { ...token, name } : token;
      },
      async session({ session, user, trigger, newSession }) {
        const name = trigger === 'update' ? newName(newSession) : undefined;
        if (!user || !name) return session;
        await store().updateUser({ id: user.id, name });
        return { ...session, user: { ...session.user, name } };
      },
    },
  };
}

/** `update` carries any data that a client sends. Take only the values that visitors may change. */
function newName(data: unknown): string | undefined {
  const name = typeof data === 'object' && data !== null && 'name' in data ? data.name : undefined;
  return typeof name === 'string' ? name.trim().slice(0, 40) || undefined : undefined;
}
