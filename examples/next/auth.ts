import NextAuth from '@latchkey/next';
import Credentials from '@latchkey/next/providers/credentials';
import Nodemailer from '@latchkey/next/providers/nodemailer';
import Passkey from '@latchkey/next/providers/passkey';
import { findDemoUser } from '../shared/demo-user.ts';
import { store } from './store.ts';

/**
 * How visitors sign in, and who may see what: all that the application asks about sessions. The secret, the provider's address and
 * the mail server come from the environment.
 */
export const { handlers, auth, signIn, signOut, update } = NextAuth({
  // A function: nothing is opened before it is needed, neither by `next build` nor by the proxy.
  adapter: store,
  session: { strategy: 'jwt' },
  pages: { signIn: '/sign-in' },
  experimental: { enableWebAuthn: true },
  providers: [
    {
      id: 'demo',
      name: 'Demo Provider',
      type: 'oidc',
      checks: ['pkce', 'state', 'nonce'],
      // Ask each time, so that the demo's users can take turns in one browser.
      authorization: { params: { prompt: 'login' } },
    },
    // The link shows a page with a button: programs that look into mails and follow links do not spend it.
    Nodemailer({ server: process.env['EMAIL_SERVER'] ?? 'smtp://localhost', confirm: true }),
    Credentials({
      credentials: { login: {}, password: { type: 'password' } },
      authorize: ({ login, password }) => findDemoUser(store(), login, password),
    }),
    Passkey,
  ],
  callbacks: {
    // Asked by the proxy.
    authorized: ({ auth }) => auth !== null,
    jwt({ token, trigger, session }) {
      // Whatever a client sends with `update` comes here: take what visitors may change, and nothing else.
      if (trigger === 'update' && typeof session?.name === 'string') token.name = session.name.trim().slice(0, 40);
      return token;
    },
    // What it returns is the type of the session, here, in server components and in the browser.
    session: ({ session, token }) => ({ ...session, user: { ...session.user, id: token.sub } }),
  },
});
