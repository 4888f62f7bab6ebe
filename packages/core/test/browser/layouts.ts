import { memoryAdapter } from '@latchkey/testing';
import ar from '../../src/messages/ar.ts';
import de from '../../src/messages/de.ts';
import Credentials from '../../src/providers/credentials.ts';
import Discord from '../../src/providers/discord.ts';
import Facebook from '../../src/providers/facebook.ts';
import GitHub from '../../src/providers/github.ts';
import GitLab from '../../src/providers/gitlab.ts';
import Google from '../../src/providers/google.ts';
import Microsoft from '../../src/providers/microsoft-entra-id.ts';
import Passkey from '../../src/providers/passkey.ts';
import Slack from '../../src/providers/slack.ts';
import Spotify from '../../src/providers/spotify.ts';
import WebAuthn from '../../src/providers/webauthn.ts';
import type { AuthConfig } from '../../src/types/config.ts';
import { log, SECRET } from '../flows/scene.ts';

type Providers = AuthConfig['providers'];

const client = { clientId: 'id', clientSecret: 'secret' };
const services: Providers = [
  ...[GitHub(client), Google(client), Microsoft(client), GitLab(client)],
  ...[Slack(client), Discord(client), Facebook(client), Spotify(client)],
];
const mail = { id: 'mail', name: 'Mail', type: 'email' as const, code: true, sendVerificationRequest: () => undefined };
const team = { ...mail, id: 'team', name: 'the team' };

const ada = { id: '1', name: 'Ada', email: 'ada@example.com' };
const password = Credentials({
  credentials: { username: { label: 'Username', required: true }, password: { type: 'password', label: 'Password' } },
  authorize: (given) => (given.password === 'right' ? ada : null),
});
const ticket = Credentials({
  ...{ id: 'ticket', name: 'a ticket' },
  credentials: { number: { label: 'Number of the ticket', inputmode: 'numeric' }, day: { label: 'Day', type: 'date' } },
  authorize: ({ number }) => (number === '7' ? ada : null),
});
const passkey = Passkey({ unverifiedEmail: 'allow' });

/** A way to sign in with the keyboard alone. */
export type Keys = 'service' | 'mail' | 'password' | 'mail-or-password' | 'fields' | 'passkey' | 'key';

/** A row of the table of layouts. */
export interface LayoutRow {
  readonly providers: Providers;
  /** The values of `autocomplete`, from top to bottom. */
  readonly autocomplete: readonly string[];
  readonly keys: Keys;
}

const row = (providers: Providers, keys: Keys, ...autocomplete: string[]): LayoutRow => ({
  ...{ providers, keys, autocomplete },
});

/** The layouts of the sign-in page: services, mail, credentials, passkeys, other credentials and typed keys. */
export const layouts: Readonly<Record<string, LayoutRow>> = {
  'one service': row(services.slice(0, 1), 'service'),
  'six services': row(services.slice(0, 6), 'service'),
  'eight services': row(services, 'service'),
  mail: row([mail], 'mail', 'email'),
  password: row([password], 'password', 'username', 'current-password'),
  'other credentials': row([ticket], 'fields', '', ''),
  'mail and password': row([mail, password], 'mail-or-password', 'username'),
  passkey: row([passkey], 'passkey'),
  'passkey and mail': row([passkey, mail], 'mail', 'username webauthn'),
  'passkey and password': row([passkey, password], 'password', 'username webauthn', 'current-password'),
  'passkey, mail and password': row([passkey, mail, password], 'mail-or-password', 'username webauthn'),
  everything: row(
    [...services, passkey, mail, password, ticket, team],
    'mail-or-password',
    ...['username webauthn', 'email', '', ''],
  ),
  'two mails and a service': row([mail, team, ...services.slice(0, 1)], 'mail', 'email', 'email'),
  'typed key': row([WebAuthn({ unverifiedEmail: 'allow' })], 'key', 'username'),
};

/** Returns the configuration of a layout, in English, German and Arabic. */
export function configOf({ providers }: LayoutRow): AuthConfig {
  return {
    providers,
    adapter: memoryAdapter(),
    secret: SECRET,
    trustHost: true,
    session: { strategy: 'jwt' },
    experimental: { enableWebAuthn: true },
    theme: { name: 'Acme', lastUsed: true },
    pages: { forgotPassword: '/reset', terms: '/terms', privacy: '/privacy' },
    locale: {
      languages: [de, ar],
      choose: 'accept-language',
    },
    logger: log(),
  };
}
