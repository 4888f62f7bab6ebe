// Each kind of path that the packages export, where the compiler does not read `exports`.

import { RedisAdapter } from '@latchkey/adapter-redis';
import { SqlAdapter } from '@latchkey/adapter-sql';
import { Auth, type AuthConfig } from '@latchkey/core';
import { accountsOf } from '@latchkey/core/account';
import type { Adapter } from '@latchkey/core/adapters';
import { withEnv } from '@latchkey/core/binding';
import { ClientFetchError } from '@latchkey/core/client';
import { CredentialsSignin } from '@latchkey/core/errors';
import { getToken, type JWT } from '@latchkey/core/jwt';
import manifest from '@latchkey/core/package.json';
import type { Provider } from '@latchkey/core/providers';
import GitHub from '@latchkey/core/providers/github';
import { sessionsOf } from '@latchkey/core/sessions';
import type { Session } from '@latchkey/core/types';
import { ExpressAuth, getSession } from '@latchkey/express';
import ExpressGitHub from '@latchkey/express/providers/github';
import NextAuth, { type NextAuthConfig } from '@latchkey/next';
import { decode } from '@latchkey/next/jwt';
import type { Provider as NextProvider } from '@latchkey/next/providers';
import NextGitHub from '@latchkey/next/providers/github';
import { SessionProvider, useSession } from '@latchkey/next/react';
import { signIn as signInWithPasskey } from '@latchkey/next/webauthn';
import { SvelteKitAuth } from '@latchkey/sveltekit';
import { signIn } from '@latchkey/sveltekit/client';
import { SignIn, SignOut } from '@latchkey/sveltekit/components';
import KitGitHub from '@latchkey/sveltekit/providers/github';
import { application } from '@latchkey/testing';
import { adapterSuite } from '@latchkey/testing/adapter-suite';
import { exactly } from '../../../packages/core/test/types/assert.ts';

declare module '@latchkey/next' {
  interface Session {
    plan: 'free' | 'paid';
  }
}

declare module '@latchkey/next/jwt' {
  interface JWT {
    plan: 'free' | 'paid';
  }
}

const config: NextAuthConfig = { providers: [NextGitHub], callbacks: { jwt: ({ token }) => token } };
const { auth } = NextAuth(config);
const session = auth();
exactly<Promise<Session | null>>()(session);
({}) as Session['plan'] satisfies JWT['plan'];
({}) as JWT['plan'] satisfies 'free' | 'paid';
const name: string = manifest.name;
void name;
[GitHub, ExpressGitHub, KitGitHub] satisfies Provider[] satisfies NextProvider[];
({ providers: [GitHub] }) satisfies AuthConfig;

export type { Adapter };

// An import without types would be `any`.
type Typed<T> = 0 extends 1 & T ? never : true;
const typed = <T>(_value: T, _isTyped: Typed<T>): void => {};
typed(RedisAdapter, true);
typed(SqlAdapter, true);
typed(Auth, true);
typed(withEnv, true);
typed(ClientFetchError, true);
typed(CredentialsSignin, true);
typed(getToken, true);
typed(sessionsOf, true);
typed(accountsOf, true);
typed(ExpressAuth, true);
typed(getSession, true);
typed(decode, true);
typed(SessionProvider, true);
typed(useSession, true);
typed(signInWithPasskey, true);
typed(SvelteKitAuth, true);
typed(signIn, true);
typed(SignIn, true);
typed(SignOut, true);
typed(application, true);
typed(adapterSuite, true);
