import {
  defineConfig,
  ReactRouterAuth,
  type ReactRouterAuthConfig,
  type RouterContext,
  type Session,
} from '@latchkey/react-router';
import type { ActionFunction, LoaderFunction, LoaderFunctionArgs, MiddlewareFunction } from 'react-router';
import { exactly } from '../../../core/test/types/assert.ts';

declare const context: RouterContext;

const { auth, handler, required, requireSession, sessionMiddleware, update } = ReactRouterAuth({
  providers: [],
  callbacks: { session: ({ session, token }) => ({ ...session, role: token.sub === '1' ? 'admin' : 'user' }) },
});

exactly<string | undefined>()((await auth(context))?.role);
exactly<string | undefined>()((await requireSession(context))?.role);
exactly<string | undefined>()((await update(context, {}))?.role);

// React Router's types of the exports of a route.
export const middleware: MiddlewareFunction<Response>[] = [sessionMiddleware, required()];
export const loader: LoaderFunction = handler;
export const action: ActionFunction = handler;
export const page = async (args: LoaderFunctionArgs) => auth(args.context);

const plain: ReactRouterAuthConfig = { providers: [] };
exactly<Promise<Session | null>>()(ReactRouterAuth(plain).auth(context));
ReactRouterAuth(async ({ request }) => ({ ...plain, secret: request.headers.get('x-secret') ?? '' }), {});

const defined = ReactRouterAuth(
  defineConfig({
    providers: [],
    session: { strategy: 'jwt' },
    callbacks: { session: () => ({ expires: '', count: 1 }) },
  }),
);
exactly<number | undefined>()((await defined.auth(context))?.count);

// @ts-expect-error The context is needed.
auth();
// @ts-expect-error `raw` belongs to `Auth()`.
ReactRouterAuth({ providers: [], raw: true });
