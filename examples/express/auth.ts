import type { ExpressAuthConfig } from '@latchkey/express';
import Credentials from '@latchkey/express/providers/credentials';
import Nodemailer, { type NodemailerServer } from '@latchkey/express/providers/nodemailer';
import Passkey from '@latchkey/express/providers/passkey';
import { client } from '../shared/demo-provider.ts';
import { demoUser, findDemoUser } from '../shared/demo-user.ts';
import type { SessionMode } from './session-mode.ts';
import type { Store } from './store.ts';

/** The values that the configuration takes from its environment. */
export interface Surroundings {
  /** Address of the OpenID provider. */
  issuer: string;
  /** The SMTP server for mails. */
  mailServer: NodemailerServer;
  secret: string;
  store: Pick<Store, 'adapter' | 'databaseRecords'>;
  /** Further providers. */
  others?: ExpressAuthConfig['providers'];
}

/** A configuration for each mode. A real application has only one. */
export type AuthConfigs = Readonly<Record<SessionMode, ExpressAuthConfig>>;

/**
 * The two modes have different cookie names. With one name, the first request after a switch would find an unreadable
 * session and delete it.
 */
export const sessionCookies: Readonly<Record<SessionMode, string>> = {
  jwt: 'demo.jwt-session',
  database: 'demo.database-session',
};

/** Returns the configuration of each mode. With `records`, visitors can list and end their sessions. */
export function authConfigs(surroundings: Surroundings): AuthConfigs {
  const common = commonConfig(surroundings);
  const withSessions = (session: ExpressAuthConfig['session'] & { strategy: SessionMode }): ExpressAuthConfig =>
    Object.freeze({ ...common, session, cookies: { sessionToken: { name: sessionCookies[session.strategy] } } });
  return Object.freeze({
    jwt: withSessions({ strategy: 'jwt', records: true }),
    database: withSessions({ strategy: 'database', records: { store: surroundings.store.databaseRecords } }),
  });
}

function commonConfig({ issuer, mailServer, secret, store, others = [] }: Surroundings): ExpressAuthConfig {
  const { adapter } = store;
  return {
    adapter,
    secret,
    trustHost: true,
    theme: { name: 'Latchkey demo', favicon: '/favicon.ico', lastUsed: true },
    // An account at a provider is added to a user only if the user asks for it.
    linking: 'guided',
    // The page `/auth/account`. Mails about changes come to the inbox.
    account: { hasPassword: ({ email }) => email === demoUser.email },
    // Access tokens of the provider, for the page `/profile`.
    tokens: { store: true },
    experimental: { enableWebAuthn: true },
    providers: [
      {
        id: 'demo',
        name: 'Demo Provider',
        type: 'oidc',
        issuer,
        clientId: client.client_id,
        clientSecret: client.client_secret,
        checks: ['pkce', 'state', 'nonce'],
        // The provider asks for the login each time, so that one browser can try several users. Without the consent, it
        // would issue no refresh token.
        authorization: { params: { prompt: 'login consent' } },
        offline: true,
        apis: [issuer],
        style: { brandColor: '#1f55c4' },
      },
      // The mail has a link and a code. Scanners do not use it up: in another browser, the link shows a page first.
      Nodemailer({ server: mailServer, code: true }),
      Credentials({
        name: 'a password',
        credentials: {
          login: { label: 'Login', autocomplete: 'username', placeholder: 'demo', required: true },
          password: {
            label: 'Password',
            type: 'password',
            autocomplete: 'current-password',
            placeholder: 'password',
            required: true,
          },
        },
        authorize: ({ login, password }) => findDemoUser(adapter, login, password),
      }),
      // Visitors of the demo try passkeys with any address. Leave the option out in your application, because mailed
      // links open the users of addresses: another person could have a passkey for such a user.
      Passkey({ unverifiedEmail: 'allow' }),
      ...others,
    ],
  };
}
