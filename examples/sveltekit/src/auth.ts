import { SvelteKitAuth } from '@latchkey/sveltekit';
import Credentials from '@latchkey/sveltekit/providers/credentials';
import Nodemailer from '@latchkey/sveltekit/providers/nodemailer';
import Passkey from '@latchkey/sveltekit/providers/passkey';
import { findDemoUser } from '../../shared/demo-user.ts';
import { store } from './store.ts';

/**
 * How visitors sign in: all that the application asks about sessions. The secret, the provider's address and the mail server come from
 * the environment.
 */
export const { handle, signIn, signOut, auth, update } = SvelteKitAuth({
  // A function: nothing is opened before it is needed, for example while the application is built.
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
    jwt({ token, trigger, session }) {
      // Whatever a client sends with an update comes here: take what visitors may change, and nothing else.
      if (trigger === 'update' && typeof session?.name === 'string') token.name = session.name.trim().slice(0, 40);
      return token;
    },
    session: ({ session, token }) => ({ ...session, user: { ...session.user, id: token.sub } }),
  },
});
