import NextAuth, { CredentialsSignin, type DefaultSession } from 'next-auth';
import type { JWT } from 'next-auth/jwt';
import Credentials from 'next-auth/providers/credentials';
import GitHub from 'next-auth/providers/github';
import { z } from './validate';

declare module 'next-auth' {
  interface Session {
    user: { role?: string } & DefaultSession['user'];
  }
  interface User {
    role?: string;
  }
}

declare module 'next-auth/jwt' {
  interface JWT {
    role?: string;
  }
}

class LockedOut extends CredentialsSignin {
  code = 'locked';
}

const people = [
  { id: '42', name: 'Ada', email: 'ada@example.com', password: 'correct horse', role: 'admin' },
  { id: '43', name: 'Grace', email: 'grace@example.com', password: 'battery staple', role: 'reader' },
];

const roleOf = (token: JWT) => token.role ?? 'guest';

export const { handlers, auth, signIn, signOut, unstable_update } = NextAuth({
  pages: { signIn: '/login' },
  providers: [
    GitHub,
    {
      id: 'company',
      name: 'The Company',
      type: 'oidc',
      issuer: process.env.COMPANY_ISSUER,
      clientId: process.env.COMPANY_ID,
      clientSecret: process.env.COMPANY_SECRET,
    },
    Credentials({
      credentials: { email: { label: 'Email', type: 'email' }, password: { label: 'Password', type: 'password' } },
      async authorize(credentials) {
        const { email, password } = z.login(credentials);
        if (email === 'locked@example.com') throw new LockedOut();
        const person = people.find((each) => each.email === email && each.password === password);
        if (!person) return null;
        return { id: person.id, name: person.name, email: person.email, role: person.role };
      },
    }),
  ],
  callbacks: {
    authorized({ auth, request: { nextUrl } }) {
      if (nextUrl.pathname.startsWith('/dashboard')) return !!auth?.user;
      return true;
    },
    jwt({ token, user, trigger, session }) {
      if (user) token.role = user.role ?? 'member';
      if (trigger === 'update' && session?.user?.name) token.name = session.user.name;
      return token;
    },
    session({ session, token }) {
      session.user.id = token.sub ?? '';
      session.user.role = roleOf(token);
      return session;
    },
  },
});
