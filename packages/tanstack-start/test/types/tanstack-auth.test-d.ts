import { defineConfig, type Session, TanStackAuth, type TanStackAuthConfig } from '@latchkey/tanstack-start';
import { createMiddleware, createServerFn } from '@tanstack/react-start';
import { exactly } from '../../../core/test/types/assert.ts';

const { auth, handler, requireSession, update } = TanStackAuth({
  providers: [],
  callbacks: { session: ({ session, token }) => ({ ...session, role: token.sub === '1' ? 'admin' : 'user' }) },
});

exactly<string | undefined>()((await auth())?.role);
exactly<string | undefined>()((await requireSession())?.role);
exactly<string | undefined>()((await update({}))?.role);

// The handler is a middleware, and a guard passes the session on.
createMiddleware().server(handler);
const guard = createMiddleware().server(async ({ next }) => next({ context: { session: await requireSession() } }));
createServerFn()
  .middleware([guard])
  .handler(({ context }) => exactly<string | undefined>()(context.session?.role));

const plain: TanStackAuthConfig = { providers: [] };
exactly<Promise<Session | null>>()(TanStackAuth(plain).auth());
exactly<Promise<Session | null>>()(TanStackAuth(() => plain).auth());
TanStackAuth(async (request) => ({ ...plain, secret: request.headers.get('x-secret') ?? '' }), {
  AUTH_SECRET: undefined,
});

const defined = TanStackAuth(
  defineConfig({
    providers: [],
    session: { strategy: 'jwt' },
    callbacks: { session: () => ({ expires: '', count: 1 }) },
  }),
);
exactly<number | undefined>()((await defined.auth())?.count);

// @ts-expect-error The current request is the context.
auth(new Request('https://example.com'));
// @ts-expect-error `raw` belongs to `Auth()`.
TanStackAuth({ providers: [], raw: true });
