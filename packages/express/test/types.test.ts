import {
  type Account,
  ExpressAuth,
  type ExpressAuthConfig,
  type GetSessionResult,
  getSession,
  type Profile,
  type Session,
  type User,
} from '@latchkey/express';
import type { Adapter } from '@latchkey/express/adapters';
import type { Provider } from '@latchkey/express/providers';
import express, { type RequestHandler } from 'express';
import { describe, expectTypeOf, it } from 'vitest';

declare module '@latchkey/express' {
  interface Session {
    sessionColour?: string;
  }
  interface User {
    userColour?: string;
  }
  interface Account {
    accountColour?: string;
  }
  interface Profile {
    profileColour?: string;
  }
}

describe('the types', () => {
  it('can be extended by module augmentation, and the extension holds everywhere', () => {
    expectTypeOf<Session>().toHaveProperty('sessionColour').toEqualTypeOf<string | undefined>();
    expectTypeOf<NonNullable<Session['user']>>().toHaveProperty('userColour').toEqualTypeOf<string | undefined>();
    expectTypeOf<User>().toHaveProperty('userColour').toEqualTypeOf<string | undefined>();
    expectTypeOf<Account>().toHaveProperty('accountColour').toEqualTypeOf<string | undefined>();
    expectTypeOf<Profile>().toHaveProperty('profileColour').toEqualTypeOf<string | undefined>();
    expectTypeOf<Awaited<GetSessionResult>>().toEqualTypeOf<Session | null>();
    const config: ExpressAuthConfig = {
      providers: [],
      callbacks: {
        jwt({ token, account, profile }) {
          expectTypeOf(account?.accountColour).toEqualTypeOf<string | undefined>();
          expectTypeOf(profile?.profileColour).toEqualTypeOf<string | undefined>();
          return token;
        },
        session: ({ session }) => ({ ...session, sessionColour: 'green' }),
      },
    };
    expectTypeOf(config).toExtend<{ providers: Provider[]; adapter?: Adapter | (() => unknown) | undefined }>();
  });

  it('fit those of Express, without naming them', () => {
    const handler: RequestHandler = ExpressAuth({ providers: [] });
    express()
      .use('/auth', handler)
      .get('/', async (request, response) => {
        expectTypeOf(await getSession(request, { providers: [] })).toEqualTypeOf<Session | null>();
        response.end();
      });
    express.Router().use('/auth/{*rest}', ExpressAuth({ providers: [] }));
  });

  it('have no raw mode', () => {
    expectTypeOf<ExpressAuthConfig>().not.toHaveProperty('raw');
  });
});
