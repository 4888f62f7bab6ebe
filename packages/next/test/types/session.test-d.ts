import NextAuth, {
  type AccountWay,
  type ChangedWays,
  type EndedSessions,
  type MailStatus,
  type NextAuthConfig,
  type NextAuthRequest,
  type NextAuthResult,
  type RequestAccount,
  type Session,
  type SessionInfo,
  type VisitorSessions,
} from '@latchkey/next';
import type { GetServerSidePropsContext, NextApiRequest, NextApiResponse } from 'next';
import { exactly } from '../../../core/test/types/assert.ts';

const { auth, update, unstable_update, signIn, pendingMail, sessions, account } = NextAuth({
  providers: [],
  secret: process.env['AUTH_SECRET'],
  callbacks: {
    session: ({ session, token }) => ({ ...session, role: token.sub === '1' ? ('admin' as const) : ('user' as const) }),
    authorized: ({ auth, request }) => (request.nextUrl.pathname === '/' ? true : auth !== null),
  },
});

const session = await auth();
exactly<'admin' | 'user' | undefined>()(session?.role);
exactly<Session['user']>()(session?.user);
exactly<'admin' | 'user' | undefined>()((await update({ role: 'user' }))?.role);
exactly<typeof update>()(unstable_update);
auth((request, context) => {
  exactly<'admin' | 'user' | undefined>()(request.auth?.role);
  exactly<Promise<Record<string, string | string[] | undefined>>>()(context.params);
});

exactly<Promise<MailStatus | null>>()(pendingMail());
exactly<Promise<MailStatus | null>>()(pendingMail('resend'));
export const inPages = (context: GetServerSidePropsContext, req: NextApiRequest, res: NextApiResponse) => {
  exactly<Promise<MailStatus | null>>()(pendingMail(context));
  exactly<Promise<MailStatus | null>>()(pendingMail(req, res, 'resend'));
  // @ts-expect-error a request needs its response
  pendingMail(req);
};
const to: string = await signIn('resend', { code: '12345678', redirect: false });
exactly<string>()(to);
exactly<Promise<never>>()(signIn('resend', new FormData()));

exactly<Promise<AccountWay[]>>()(account.list());
exactly<Promise<ChangedWays>>()(account.unlink('id'));
exactly<Promise<string>>()(account.link('github', { redirectTo: '/me', redirect: false }));
exactly<Promise<never>>()(account.link('github'));
exactly<RequestAccount>()(account.from(pages.req, pages.res));
exactly<Promise<SessionInfo[]>>()(sessions.list());
exactly<Promise<EndedSessions>>()(sessions.end('id'));
declare const pages: { req: NextApiRequest; res: NextApiResponse; context: GetServerSidePropsContext };
exactly<VisitorSessions>()(sessions.from(pages.req, pages.res));
exactly<VisitorSessions>()(sessions.from(pages.context.req, pages.context.res));

// Made for each operation, at once or later.
exactly<number | undefined>()(
  (await NextAuth(() => ({ providers: [], callbacks: { session: () => ({ expires: '', age: 7 }) } })).auth())?.age,
);
const lazy = NextAuth(async (request) => {
  exactly<string | undefined>()(request?.nextUrl.pathname);
  return { providers: [], callbacks: { session: async () => ({ expires: '', age: 7 }) } };
});
exactly<number | undefined>()((await lazy.auth())?.age);

// Without a callback, and with a configuration whose type says nothing, it is the general one.
const plain = NextAuth({ providers: [] }).auth();
exactly<Promise<Session | null>>()(plain);
const general: NextAuthConfig = {
  providers: [],
  callbacks: { session: ({ session }) => session, authorized: () => true },
};
const untold = NextAuth(general).auth();
exactly<Promise<Session | null>>()(untold);
exactly<NextAuthResult>()(NextAuth(general));
const kept = {
  providers: [],
  callbacks: { session: ({ session }) => ({ ...session, role: 'user' }) },
} satisfies NextAuthConfig;
exactly<string | undefined>()((await NextAuth(kept).auth())?.role);

declare const request: NextAuthRequest;
exactly<Session | null>()(request.auth);

// @ts-expect-error there is no such member
NextAuth({ providers: [], callback: {} });
// @ts-expect-error nor such a callback
NextAuth({ providers: [], callbacks: { authorised: () => true } });
// @ts-expect-error answers come from Next's or the web's Response
NextAuth({ providers: [], callbacks: { authorized: () => 'yes' } });
