import type { ExpressAuthConfig } from '@latchkey/express';
import type { Adapter } from '@latchkey/express/adapters';
import Credentials from '@latchkey/express/providers/credentials';
import { client } from './demo-provider.ts';
import { findDemoUser } from './demo-user.ts';

/** What the configuration takes from where it runs. */
export interface Surroundings {
  /** Address of the OpenID provider. */
  issuer: string;
  secret: string;
  adapter: Adapter;
}

/** How visitors sign in, and where users and accounts are kept. */
export function authConfig({ issuer, secret, adapter }: Surroundings): ExpressAuthConfig {
  return {
    adapter,
    secret,
    session: { strategy: 'jwt' },
    trustHost: true,
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
        authorize: ({ login, password }) => findDemoUser(login, password),
      }),
    ],
  };
}
