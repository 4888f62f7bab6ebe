// The binding's own names may be extended instead: they are the same interfaces.
import type { Account as CoreAccount, Session as CoreSession, User as CoreUser } from '@latchkey/core/types';
import {
  type Account,
  type DefaultSession,
  ExpressAuth,
  type ExpressAuthConfig,
  getSession,
  type Session,
  type User,
} from '@latchkey/express';
import express, { type Request } from 'express';
import { exactly } from '../../../packages/core/test/types/assert.ts';

declare module '@latchkey/express' {
  interface Session {
    user: { id: string; plan: 'free' | 'paid' } & DefaultSession['user'];
  }
  interface User {
    plan?: 'free' | 'paid';
  }
  interface Account {
    tenant?: string;
  }
  interface Profile {
    groups?: string[];
  }
}

export const config: ExpressAuthConfig = {
  providers: [],
  callbacks: {
    signIn: ({ profile, account }) => profile?.groups?.includes('staff') === true && account?.tenant === 'ours',
    session({ session, user }) {
      session.user.plan = user.plan ?? 'free';
      return session;
    },
  },
};

export const app: express.Express = express().use('/auth', ExpressAuth(config));

declare const request: Request;
const session = await getSession(request, config);
exactly<'free' | 'paid' | undefined>()(session?.user.plan);
exactly<CoreSession>()({} as Session);
exactly<CoreUser['plan']>()({} as User['plan']);
exactly<CoreAccount['tenant']>()({} as Account['tenant']);
