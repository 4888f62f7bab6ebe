import NextAuth, { type Account, type NextAuthConfig, type Profile, type Session, type User } from '@latchkey/next';
import type { Adapter } from '@latchkey/next/adapters';
import type { JWT } from '@latchkey/next/jwt';
import type { Provider } from '@latchkey/next/providers';
import { describe, expectTypeOf, it } from 'vitest';

declare module '@latchkey/next' {
  interface Session {
    sessionShade?: string;
  }
  interface User {
    userShade?: string;
  }
  interface Account {
    accountShade?: string;
  }
  interface Profile {
    profileShade?: string;
  }
}
declare module '@latchkey/next/jwt' {
  interface JWT {
    tokenShade?: string;
  }
}

describe('the types', () => {
  it('can be extended by module augmentation, and the extension holds everywhere', () => {
    expectTypeOf<Session>().toHaveProperty('sessionShade').toEqualTypeOf<string | undefined>();
    expectTypeOf<NonNullable<Session['user']>>().toHaveProperty('userShade').toEqualTypeOf<string | undefined>();
    expectTypeOf<User>().toHaveProperty('userShade').toEqualTypeOf<string | undefined>();
    expectTypeOf<Account>().toHaveProperty('accountShade').toEqualTypeOf<string | undefined>();
    expectTypeOf<Profile>().toHaveProperty('profileShade').toEqualTypeOf<string | undefined>();
    expectTypeOf<JWT['tokenShade']>().toEqualTypeOf<string | undefined>();
    const config: NextAuthConfig = {
      providers: [],
      callbacks: {
        jwt({ token, account, profile }) {
          expectTypeOf(token.tokenShade).toEqualTypeOf<string | undefined>();
          expectTypeOf(account?.accountShade).toEqualTypeOf<string | undefined>();
          expectTypeOf(profile?.profileShade).toEqualTypeOf<string | undefined>();
          return token;
        },
        session: ({ session }) => ({ ...session, sessionShade: 'green' }),
        authorized: ({ auth }) => auth?.sessionShade === 'green',
      },
    };
    expectTypeOf(config).toExtend<{ providers: Provider[]; adapter?: Adapter | (() => unknown) | undefined }>();
    const ask = () => NextAuth(config).auth();
    expectTypeOf(ask).returns.resolves.toEqualTypeOf<Session | null>();
  });

  it('have no raw mode', () => {
    expectTypeOf<NextAuthConfig>().not.toHaveProperty('raw');
  });
});
