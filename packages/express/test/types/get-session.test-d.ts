import { defineConfig, ExpressAuth, type ExpressAuthConfig, getSession, type Session } from '@latchkey/express';
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
// @ts-expect-error: there is no such option
defineConfig({ providers: [], sesion: { strategy: 'jwt' } });
// @ts-expect-error: there is no such strategy
defineConfig({ providers: [], session: { strategy: 'cookie' } });
