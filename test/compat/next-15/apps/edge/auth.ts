import NextAuth from '@latchkey/next';
import Credentials from '@latchkey/next/providers/credentials';

export const { handlers, auth, signIn, signOut, update } = NextAuth({
  providers: [
    Credentials({
      credentials: { name: {}, password: { type: 'password' } },
      authorize: ({ name, password }) => (password === 'password' ? { id: '1', name: String(name) } : null),
    }),
  ],
});
