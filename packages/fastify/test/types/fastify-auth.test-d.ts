import { defineConfig, FastifyAuth, type FastifyAuthConfig, type Session } from '@latchkey/fastify';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { exactly } from '../../../core/test/types/assert.ts';

declare const app: FastifyInstance;
declare const request: FastifyRequest;

const { plugin, auth, required, requireSession, update } = FastifyAuth({
  providers: [],
  callbacks: { session: ({ session, token }) => ({ ...session, role: token.sub === '1' ? 'admin' : 'user' }) },
});

exactly<string | undefined>()((await auth(request))?.role);
exactly<string | undefined>()((await requireSession(request))?.role);
exactly<string | undefined>()((await update(request, {}))?.role);
await app.register(plugin);
app.get('/account', { preHandler: required() }, async () => 'private');

const plain: FastifyAuthConfig = { providers: [] };
exactly<Promise<Session | null>>()(FastifyAuth(plain).auth(request));
exactly<Promise<Session | null>>()(FastifyAuth(async () => plain).auth(request));

const defined = FastifyAuth(
  defineConfig({
    providers: [],
    session: { strategy: 'jwt' },
    callbacks: { session: () => ({ expires: '', count: 1 }) },
  }),
);
exactly<number | undefined>()((await defined.auth(request))?.count);

// @ts-expect-error The request is needed.
auth();
// @ts-expect-error `raw` belongs to `Auth()`.
FastifyAuth({ providers: [], raw: true });
