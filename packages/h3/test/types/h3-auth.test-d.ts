import { defineConfig, H3Auth, type H3AuthConfig, type Session } from '@latchkey/h3';
import { H3, type H3Event } from 'h3';
import { exactly } from '../../../core/test/types/assert.ts';

declare const event: H3Event;

const { handler, auth, requireSession, update } = H3Auth({
  providers: [],
  callbacks: { session: ({ session, token }) => ({ ...session, role: token.sub === '1' ? 'admin' : 'user' }) },
});

exactly<string | undefined>()((await auth(event))?.role);
exactly<string | undefined>()((await requireSession(event))?.role);
exactly<string | undefined>()((await update(event, {}))?.role);
new H3().use(handler).get('/account', async (request) => (await requireSession(request))?.user);

const plain: H3AuthConfig = { providers: [] };
exactly<Promise<Session | null>>()(H3Auth(plain).auth(event));
exactly<Promise<Session | null>>()(H3Auth(() => plain).auth(event));
H3Auth(async (request) => ({ ...plain, secret: request.req.headers.get('x-secret') ?? '' }), {
  AUTH_SECRET: undefined,
});

const defined = H3Auth(
  defineConfig({
    providers: [],
    session: { strategy: 'jwt' },
    callbacks: { session: () => ({ expires: '', count: 1 }) },
  }),
);
exactly<number | undefined>()((await defined.auth(event))?.count);

// @ts-expect-error The event is needed.
auth();
// @ts-expect-error `raw` belongs to `Auth()`.
H3Auth({ providers: [], raw: true });
