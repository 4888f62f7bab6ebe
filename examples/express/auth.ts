import type { ExpressAuthConfig } from '@latchkey/express';
import Credentials from '@latchkey/express/providers/credentials';
import Nodemailer, { type NodemailerServer } from '@latchkey/express/providers/nodemailer';
import Passkey from '@latchkey/express/providers/passkey';
import { client } from '../shared/demo-provider.ts';
import { findDemoUser } from '../shared/demo-user.ts';
import type { SessionMode } from './session-mode.ts';
import type { Store } from './store.ts';

/** What the configuration takes from where it runs. */
export interface Surroundings {
  /** Address of the OpenID provider. */
  issuer: string;
  /** Where mails are handed in. */
  mailServer: NodemailerServer;
  secret: string;
  adapter: Store['adapter'];
  /** Providers beside the demo's own. */
  others?: ExpressAuthConfig['providers'];
}

/** A configuration for each mode. An application has one of them. */
export type AuthConfigs = Readonly<Record<SessionMode, ExpressAuthConfig>>;

/**
 * The cookies of the two modes. A token of one is none of the other: under one name, the first look after a switch would
 * find a bad session and clear it. With two, whoever switches back finds the session again.
 */
export const sessionCookies: Readonly<Record<SessionMode, string>> = {
  jwt: 'demo.jwt-session',
  database: 'demo.database-session',
};

/** How visitors sign in, and where users, accounts and sessions are kept. */
export function authConfigs(surroundings: Surroundings): AuthConfigs {
  const common = commonConfig(surroundings);
  const withSessions = (strategy: SessionMode): ExpressAuthConfig =>
    Object.freeze({
      ...common,
      session: { strategy },
      cookies: { sessionToken: { name: sessionCookies[strategy] } },
    });
  return Object.freeze({ jwt: withSessions('jwt'), database: withSessions('database') });
}

function commonConfig({ issuer, mailServer, secret, adapter, others = [] }: Surroundings): ExpressAuthConfig {
  return {
    adapter,
    secret,
    trustHost: true,
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
        // Ask each time, so that the demo's users can take turns in one browser.
        authorization: { params: { prompt: 'login' } },
        style: { brandColor: '#1f55c4' },
      },
      // The link shows a page with a button: programs that look into mails and follow links do not spend it.
      Nodemailer({ name: 'a mailed link', server: mailServer, confirm: true }),
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
      Passkey,
      ...others,
    ],
  };
}
