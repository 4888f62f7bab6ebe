// Members that an application adds to our interfaces are there wherever these are used.
import type { AuthConfig } from '@latchkey/core';
import type { Adapter, AdapterUser } from '@latchkey/core/adapters';
import { getToken, type JWT } from '@latchkey/core/jwt';
import GitHub from '@latchkey/core/providers/github';
import type { Awaitable, ConfigWith, DefaultSession, Session, SessionFrom, User } from '@latchkey/core/types';
import { exactly } from '../../../packages/core/test/types/assert.ts';

declare module '@latchkey/core/types' {
  interface Session {
    user: { id: string; role: 'admin' | 'user' } & DefaultSession['user'];
    error?: 'RefreshFailed';
  }
  interface User {
    role?: 'admin' | 'user';
  }
  interface Account {
    tenant?: string;
  }
  interface Profile {
    groups?: string[];
  }
  interface Theme {
    density?: 'compact';
  }
}

declare module '@latchkey/core/jwt' {
  interface JWT {
    role?: 'admin' | 'user';
    accessToken?: string;
  }
}

declare module '@latchkey/core/adapters' {
  interface AdapterUser {
    locale: string;
  }
  interface AdapterSession {
    device: string;
  }
  interface AdapterAccount {
    scopes?: string[];
  }
  interface VerificationToken {
    attempts?: number;
  }
}

export const config = {
  providers: [GitHub({ profile: ({ id }) => ({ id: `${id}`, role: 'user' }) })],
  theme: { density: 'compact' },
  callbacks: {
    signIn: ({ profile, account }) => profile?.groups?.includes('staff') === true && account?.tenant === 'ours',
    jwt({ token, user, account }) {
      exactly<'admin' | 'user' | undefined>()(user.role);
      if (account?.access_token) token.accessToken = account.access_token;
      return { ...token, role: user.role ?? 'user' };
    },
    session({ session, token, user }) {
      exactly<string>()(user.locale);
      exactly<'admin' | 'user' | undefined>()(token.role);
      session.user.role = token.role ?? 'user';
      session.error = 'RefreshFailed';
      return session;
    },
  },
} satisfies AuthConfig;

export const adapter: Adapter = {
  getUser: (id) => ({ id, email: '', emailVerified: null, locale: 'en' }),
  createSession: ({ userId, ...rest }) => ({ ...rest, userId, device: 'phone' }),
  linkAccount: ({ scopes }) => void scopes?.length,
  createVerificationToken: (token) => ({ ...token, attempts: 0 }),
  // @ts-expect-error
  getUserByEmail: (email) => ({ id: '', email, emailVerified: null }),
};

/** An adapter that was typed elsewhere, and whose users therefore lack `locale`. */
interface TheirAdapter {
  createUser?(user: TheirUser): Awaitable<TheirUser>;
  getUser?(id: string): Awaitable<TheirUser | null>;
  getUserByEmail?(email: string): Awaitable<TheirUser | null>;
  getUserByAccount?(account: { provider: string; providerAccountId: string }): Awaitable<TheirUser | null>;
  updateUser?(user: Partial<TheirUser> & Pick<TheirUser, 'id'>): Awaitable<TheirUser>;
  deleteUser?(id: string): Promise<void> | Awaitable<TheirUser | null | undefined>;
  getSessionAndUser?(token: string): Awaitable<{
    session: { sessionToken: string; userId: string; expires: Date };
    user: TheirUser;
  } | null>;
}
interface TheirUser {
  id: string;
  name?: string | null;
  email: string;
  emailVerified: Date | null;
  image?: string | null;
}
declare const theirs: TheirAdapter;
export const withTheirs: AuthConfig = { providers: [], adapter: theirs };
export const madeLater: AuthConfig = { providers: [], adapter: async () => ({ ...theirs, getUser: () => null }) };
// @ts-expect-error
export const withoutAddress: AuthConfig['adapter'] = { getUser: (id) => ({ id, emailVerified: null }) };

declare function bind<S extends DefaultSession = Session>(config: ConfigWith<S>): SessionFrom<S>;

export const inferred = bind(config);
exactly<'admin' | 'user'>()(inferred.user.role);
exactly<'RefreshFailed' | undefined>()(inferred.error);
export const plain = bind(config as AuthConfig);
exactly<Session>()(plain);
exactly<string>()(plain.user.id);
export const role: User['role'] = plain.user.role;
export const own = bind({ ...config, callbacks: { session: ({ session }) => ({ ...session, n: 1 }) } });
exactly<number>()(own.n);
exactly<'admin' | 'user'>()(own.user.role);

export const token: Promise<JWT | null> = getToken({ req: { headers: {} } });
exactly<string | undefined>()((await token)?.accessToken);
exactly<string>()(({} as AdapterUser).locale);
