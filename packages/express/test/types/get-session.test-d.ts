import {
  type AccountWay,
  accountFrom,
  defineConfig,
  ExpressAuth,
  type ExpressAuthConfig,
  getSession,
  type MailStatus,
  pendingMail,
  type RequestAccount,
  type Session,
  type SessionInfo,
  sessionsFrom,
  type VisitorSessions,
} from '@latchkey/express';
import type { Request } from 'express';
import { exactly } from '../../../core/test/types/assert.ts';

declare const request: Request;

const config = {
  providers: [],
  secret: process.env['AUTH_SECRET'],
  callbacks: { session: ({ session, token }) => ({ ...session, role: token.sub === '1' ? 'admin' : 'user' }) },
} satisfies ExpressAuthConfig;

const session = await getSession(request, config);
exactly<string | undefined>()(session?.role);
exactly<Session['user']>()(session?.user);

const plain: ExpressAuthConfig = config;
exactly<Promise<Session | null>>()(getSession(request, plain));
exactly<Promise<Session | null>>()(getSession(request, { providers: [] }, { AUTH_SECRET: undefined }));

// A configuration in a variable.
const defined = defineConfig({
  providers: [],
  session: { strategy: 'jwt' },
  callbacks: { session: ({ session, token }) => ({ ...session, role: token.sub === '1' ? 'admin' : 'user' }) },
});
ExpressAuth(defined);
exactly<string | undefined>()((await getSession(request, defined))?.role);

// The pending mail, with each of these configurations.
exactly<Promise<MailStatus | null>>()(pendingMail(request, config));
exactly<Promise<MailStatus | null>>()(pendingMail(request, defined, 'resend'));
exactly<Promise<MailStatus | null>>()(pendingMail(request, plain, undefined, { AUTH_SECRET: undefined }));

// The sessions of the visitor, with each of these configurations.
exactly<RequestAccount>()(accountFrom(request, config));
exactly<Promise<AccountWay[]>>()(accountFrom(request, plain, {}).list());
exactly<Promise<string>>()(accountFrom(request, plain).link('github', { redirectTo: '/me' }));
// @ts-expect-error: the application redirects
void accountFrom(request, plain).link('github', { redirect: true });
exactly<VisitorSessions>()(sessionsFrom(request, config));
exactly<Promise<SessionInfo[]>>()(sessionsFrom(request, defined).list());
exactly<Promise<{ count: number; within: number }>>()(
  sessionsFrom(request, plain, {})
    .end('id')
    .then((ended) => ({ ...ended })),
);

// @ts-expect-error: there is no such option
defineConfig({ providers: [], sesion: { strategy: 'jwt' } });
// @ts-expect-error: there is no such strategy
defineConfig({ providers: [], session: { strategy: 'cookie' } });
