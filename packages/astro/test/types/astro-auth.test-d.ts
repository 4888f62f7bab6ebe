import {
  AstroAuth,
  type AstroAuthConfig,
  type AstroAuthContext,
  type AstroAuthLocals,
  defineConfig,
  type Session,
} from '@latchkey/astro';
import type { APIContext, AstroGlobal } from 'astro';
import { exactly } from '../../../core/test/types/assert.ts';

declare const page: AstroGlobal;
declare const endpoint: APIContext;
declare const action: Omit<APIContext, 'callAction' | 'getActionResult' | 'props' | 'redirect' | 'rewrite'>;

const { auth, handler, middleware, requireSession, update } = AstroAuth({
  providers: [],
  callbacks: { session: ({ session, token }) => ({ ...session, role: token.sub === '1' ? 'admin' : 'user' }) },
});

exactly<string | undefined>()((await auth(page))?.role);
exactly<string | undefined>()((await auth(action))?.role);
exactly<string | undefined>()((await update(endpoint, {}))?.role);
const session = await requireSession(page);
if (!(session instanceof Response)) exactly<string | undefined>()(session?.role);

exactly<Response | Promise<Response>>()(handler(endpoint));
export const onRequest = middleware;

const plain: AstroAuthConfig = { providers: [] };
exactly<Promise<Session | null>>()(AstroAuth(plain).auth(page));
exactly<ReturnType<AstroAuthLocals['auth']>>()(AstroAuth(() => plain).auth(page));
AstroAuth(async (context: AstroAuthContext) => ({ ...plain, secret: context.request.headers.get('x-secret') ?? '' }), {
  AUTH_SECRET: undefined,
});

const defined = AstroAuth(
  defineConfig({
    providers: [],
    session: { strategy: 'jwt' },
    callbacks: { session: () => ({ expires: '', count: 1 }) },
  }),
);
exactly<number | undefined>()((await defined.auth(page))?.count);

// @ts-expect-error The context is needed.
auth();
// @ts-expect-error `raw` belongs to `Auth()`.
AstroAuth({ providers: [], raw: true });
