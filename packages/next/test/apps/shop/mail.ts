import NextAuth from '@latchkey/next';
import type { Adapter, AdapterUser, VerificationToken } from '@latchkey/next/adapters';

// Next loads this module once for pages and once for route handlers. Only the page uses the store.
const users = new Map<string, AdapterUser>();
const tokens = new Map<string, VerificationToken>();

const adapter: Adapter = {
  createUser(user) {
    users.set(user.id, user);
    return user;
  },
  getUserByEmail: (email) => [...users.values()].find((user) => user.email === email) ?? null,
  createVerificationToken(row) {
    tokens.set(row.token, row);
    return row;
  },
  useVerificationToken({ token }) {
    const row = tokens.get(token) ?? null;
    tokens.delete(token);
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
