import type { Session } from '@latchkey/core/types';
import NextAuth from '@latchkey/next';
import {
  getSession,
  type SessionContextValue,
  type SessionOf,
  type SignInResponse,
  type SignOutResponse,
  signIn,
  signOut,
  useSession,
} from '@latchkey/next/react';
import { exactly } from '../../../core/test/types/assert.ts';

const { auth } = NextAuth({
  providers: [],
  callbacks: {
    session: ({ session }) => ({ expires: session.expires, user: { name: 'Ada', role: 'admin' as const } }),
  },
});
const plain = NextAuth({ providers: [] });

// The client's session has the type that `callbacks.session` returns, by the type of `auth`.
type Mine = SessionOf<typeof auth>;
exactly<'admin'>()(({} as Mine).user.role);
exactly<Session>()({} as SessionOf<typeof plain.auth>);
exactly<Mine | null>()(await getSession<typeof auth>());
exactly<Session | null>()(await getSession());

export function Component(): void {
  const loose = useSession();
  exactly<Session | null>()(loose.data);
  exactly<'authenticated' | 'unauthenticated' | 'loading'>()(loose.status);
  if (loose.status === 'authenticated') exactly<Session>()(loose.data);
  exactly<'authenticated' | 'loading'>()(useSession({ required: true }).status);
  exactly<SessionContextValue<true>>()(useSession<true>({ required: true, onUnauthenticated() {} }));
  const mine = useSession<typeof auth>();
  if (mine.status === 'authenticated') exactly<'admin'>()(mine.data.user.role);
  exactly<Mine | null>()(useSession<Mine>({ required: true }).data);
  exactly<Promise<Mine | null | undefined>>()(mine.update({ any: 'thing' }));
}

exactly<Promise<SignInResponse>>()(signIn('credentials', { redirect: false, email: 'a@example.com' }));
exactly<Promise<undefined>>()(signIn('github', { redirectTo: '/there' }, { scope: 'user' }));
exactly<Promise<undefined>>()(signIn());
exactly<Promise<SignInResponse>>()(signIn('resend', { code: '12345678', redirect: false }));
exactly<Promise<SignOutResponse>>()(signOut({ redirect: false }));
exactly<Promise<undefined>>()(signOut());
exactly<Promise<undefined>>()(signOut({ provider: false }));
// @ts-expect-error: not the id of a provider
signOut({ provider: 'github' });
