// @ts-nocheck

import { CredentialsSignin } from '@auth/express';
import Credentials from '@auth/express/providers/credentials';
import GitHub from '@auth/express/providers/github';

class AccountLocked extends CredentialsSignin {
  code = 'locked';
}

export const authConfig = {
  trustHost: true,
  providers: [
    GitHub,
    Credentials({
      credentials: { username: { label: 'Username' }, password: { label: 'Password', type: 'password' } },
      async authorize({ username, password }) {
        if (username === 'locked') throw new AccountLocked();
        if (password !== 'correct horse') return null;
        return { id: '42', name: username, email: `${username}@example.com`, role: 'admin' };
      },
    }),
    {
      id: 'company',
      name: 'Company',
      type: 'oidc',
      issuer: process.env.COMPANY_ISSUER,
      clientId: process.env.COMPANY_ID,
      clientSecret: process.env.COMPANY_SECRET,
    },
  ],
  callbacks: {
    jwt({ token, user, account }) {
      if (user) return { ...token, id: user.id, role: user.role ?? 'user', provider: account.provider };
      return token;
    },
    session({ session, token }) {
      session.user.id = token.id;
      session.user.role = token.role;
      session.provider = token.provider;
      return session;
    },
  },
};
