import NextAuth from '@latchkey/next';
import Credentials from '@latchkey/next/providers/credentials';
import Nodemailer from '@latchkey/next/providers/nodemailer';
import Passkey from '@latchkey/next/providers/passkey';
import { demoUser, findDemoUser } from '../shared/demo-user.ts';
import { base } from './base.ts';
import { store } from './store.ts';

/**
 * The configuration. The secret, the provider's issuer and the mail server come from the environment: `AUTH_SECRET`,
 * `AUTH_DEMO_ISSUER`, `EMAIL_SERVER`.
 */
export const { handlers, auth, signIn, signOut, update, sessions } = NextAuth({
  // A function, so that `next build` and the proxy do not open the database.
  adapter: store,
  // With records, visitors can list and end their sessions.
  session: { strategy: 'jwt', records: true },
  pages: { signIn: '/sign-in', sessions: '/devices' },
  // The look of the built-in pages, such as the page of the account.
  theme: { name: 'Latchkey demo', favicon: `${base}/favicon.ico` },
  // An account at a provider is added to a user only if the user asks for it.
  linking: 'guided',
  // The page `/api/auth/account`. Mails about changes come to the inbox.
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
    // The proxy calls this.
    authorized: ({ auth }) => auth !== null,
    jwt({ token, trigger, session }) {
      // `session` holds any data that a client sends with `update`. Take only the values that visitors may change.
      if (trigger === 'update' && typeof session?.name === 'string') token.name = session.name.trim().slice(0, 40);
      return token;
    },
    // The return type is the type of the session in server components and in the browser.
    session: ({ session, token }) => ({ ...session, user: { ...session.user, id: token.sub } }),
  },
});
