import { SvelteKitAuth } from '@latchkey/sveltekit';
import Credentials from '@latchkey/sveltekit/providers/credentials';
import Nodemailer from '@latchkey/sveltekit/providers/nodemailer';
import Passkey from '@latchkey/sveltekit/providers/passkey';
import { demoUser, findDemoUser } from '../../shared/demo-user.ts';
import { base } from './base.ts';
import { store } from './store.ts';

/**
 * The configuration. The secret, the provider's issuer and the mail server come from the environment: `AUTH_SECRET`,
 * `AUTH_DEMO_ISSUER`, `EMAIL_SERVER`.
 */
export const { handle, signIn, signOut, auth, update, sessions } = SvelteKitAuth({
  // A function, so that the build does not open the database.
  adapter: store,
  // With records, visitors can list and end their sessions.
  session: { strategy: 'jwt', records: true },
  pages: { signIn: '/sign-in', sessions: '/devices' },
  // The look of the built-in pages, such as the page of the account.
  theme: { name: 'Latchkey demo', favicon: `${base}/favicon.ico` },
  // An account at a provider is added to a user only if the user asks for it.
  linking: 'guided',
  // The page `/auth/account`. Mails about changes come to the inbox.
  account: { hasPassword: ({ email }) => email === demoUser.email },
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
    // The mail has a link and a code. Scanners do not use it up: in another browser, the link shows a page first.
    Nodemailer({ server: process.env['EMAIL_SERVER'] ?? 'smtp://localhost', code: true }),
    Credentials({
      name: 'a password',
      credentials: { login: { label: 'Login' }, password: { type: 'password' } },
      authorize: ({ login, password }) => findDemoUser(store(), login, password),
    }),
    // Visitors of the demo try passkeys with any address. Leave the option out in your application, because mailed
    // links open the users of addresses: another person could have a passkey for such a user.
    Passkey({ unverifiedEmail: 'allow' }),
  ],
  callbacks: {
    jwt({ token, trigger, session }) {
      // `session` holds any data that a client sends with an update. Take only the values that visitors may change.
      if (trigger === 'update' && typeof session?.name === 'string') token.name = session.name.trim().slice(0, 40);
      return token;
    },
    session: ({ session, token }) => ({ ...session, user: { ...session.user, id: token.sub } }),
  },
});
