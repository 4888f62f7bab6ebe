import { defineConfig, HonoAuth, type HonoAuthConfig, type Session } from '@latchkey/hono';
import { type Context, Hono } from 'hono';
import { exactly } from '../../../core/test/types/assert.ts';

declare const c: Context;

const { auth, required, requireSession, update } = HonoAuth({
  providers: [],
  callbacks: { session: ({ session, token }) => ({ ...session, role: token.sub === '1' ? 'admin' : 'user' }) },
});

exactly<string | undefined>()((await auth(c))?.role);
exactly<string | undefined>()((await requireSession(c))?.role);
exactly<string | undefined>()((await update(c, {}))?.role);
// The application's own sign-in page may be guarded, and has no session.
new Hono().get('/account', required(), (c) => c.json(exactly<string | undefined>()(c.var.session?.role)));

const plain: HonoAuthConfig = { providers: [] };
exactly<Promise<Session | null>>()(HonoAuth(plain).auth(c));
exactly<Promise<Session | null>>()(HonoAuth(() => plain).auth(c));
HonoAuth(async (context) => ({ ...plain, secret: context.req.header('x-secret') }), { AUTH_SECRET: undefined });

const defined = HonoAuth(
  defineConfig({
    providers: [],
    session: { strategy: 'jwt' },
    callbacks: { session: () => ({ expires: '', count: 1 }) },
  }),
);
exactly<number | undefined>()((await defined.auth(c))?.count);

// @ts-expect-error The context is needed.
auth();
// @ts-expect-error `raw` belongs to `Auth()`.
HonoAuth({ providers: [], raw: true });
