import NextAuth from '@latchkey/next';
import Credentials from '@latchkey/next/providers/credentials';

/** How often `authorize` was called. A refused sign-in must not call it. */
export const passwords = { seen: 0 };

export const credentials = Credentials({
  credentials: { name: { label: 'Name' }, password: { label: 'Password', type: 'password' } },
  authorize({ name, password }) {
    passwords.seen += 1;
    return password === 'password' ? { id: '1', name: String(name) } : null;
  },
});

export const { handlers, auth, signIn, signOut, update } = NextAuth({
  providers: [credentials],
  pages: { error: '/still' },
  // Each visit extends the session, which shows what becomes of its cookie.
  session: { updateAge: 0 },
  callbacks: {
    authorized: ({ auth, request }) => !request.nextUrl.pathname.startsWith('/private') || auth !== null,
    jwt: ({ token, trigger, session }) => (trigger === 'update' ? { ...token, name: session.name } : token),
    session: ({ session, token }) => ({ user: { name: token.name ?? null }, expires: session.expires, role: 'buyer' }),
  },
});
