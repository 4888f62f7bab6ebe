import NextAuth from '@latchkey/next';
import type { Adapter, AdapterUser, VerificationToken } from '@latchkey/next/adapters';

/** Next loads this module once for pages and once for route handlers. */
const store = ((globalThis as { mailStore?: MailStore }).mailStore ??= { users: new Map(), tokens: new Map() });

interface MailStore {
  readonly users: Map<string, AdapterUser>;
  readonly tokens: Map<string, VerificationToken>;
}

const adapter: Adapter = {
  createUser(user) {
    store.users.set(user.id, user);
    return user;
  },
  getUserByEmail: (email) => [...store.users.values()].find((user) => user.email === email) ?? null,
  createVerificationToken(row) {
    store.tokens.set(row.token, row);
    return row;
  },
  useVerificationToken({ token }) {
    const row = store.tokens.get(token) ?? null;
    store.tokens.delete(token);
    return row;
  },
};

export const { handlers, auth, signIn, pendingMail } = NextAuth({
  basePath: '/api/mail/auth',
  adapter,
  session: { strategy: 'jwt' },
  pages: { verifyRequest: '/check-mail' },
  providers: [
    {
      id: 'mail',
      name: 'Mail',
      type: 'email',
      code: true,
      // The test reads the log.
      sendVerificationRequest: ({ identifier, code }) => console.log(`the code of ${identifier} is ${code}.`),
    },
  ],
});
