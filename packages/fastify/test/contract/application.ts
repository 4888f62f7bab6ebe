import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import formbody from '@fastify/formbody';
import { FastifyAuth } from '@latchkey/fastify';
import {
  BINDING_HEADER,
  type BindingSetup,
  bindingConfig,
  callFailure,
  waitForSuite,
} from '@latchkey/testing/binding-application';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';

type Query = Readonly<Record<string, string | undefined>>;

/** The application of the binding suite on Fastify. docs/frameworks/contract.md lists its routes. */
export async function contractApplication(setup: BindingSetup): Promise<FastifyInstance> {
  const { base = '', env = {}, secondMount, trustProxy = false } = setup;
  const { plugin, auth, required, signIn, signOut, update } = FastifyAuth(bindingConfig(setup), env);
  const app = fastify({ trustProxy, forceCloseConnections: true });
  app.addHook('onRequest', async (request, reply) => {
    reply.header(BINDING_HEADER, 'contract');
    if (request.headers['x-visit']) reply.header('set-cookie', 'visited=yes; Path=/');
  });
  await app.register(formbody);

  const shop = async (scope: FastifyInstance): Promise<void> => {
    await scope.register(plugin);
    if (secondMount) {
      await scope.register(FastifyAuth({ ...bindingConfig(setup), basePath: secondMount }, env).plugin);
    }
    const guard = { preHandler: required() };
    const guards = { preHandler: [required(), required()] };
    const guardedPage = async (request: FastifyRequest, reply: FastifyReply) => {
      const name = (await auth(request))?.user?.name;
      return reply.type('text/html').send(`<h1>Guarded page of ${name}</h1>`);
    };
    scope.all('/guarded', guard, guardedPage);
    scope.all('/guarded/inner', guards, guardedPage);
    scope.all('/api/guarded', guard, async (request) => ({ user: (await auth(request))?.user?.name }));

    scope.get<{ Querystring: Query }>('/session', async (request, reply) => {
      const session = await auth(request);
      await waitForSuite(request.query['wait']);
      return json(reply, session);
    });

    /** A route that calls the binding, and shows the session before and after the call. */
    type Call = (
      request: FastifyRequest,
      fields: Record<string, string>,
    ) => Promise<{ url?: string; updated?: unknown }>;
    const call = (path: string, work: Call) =>
      scope.post<{ Body: Record<string, string> }>(path, async (request, reply) => {
        try {
          const before = await auth(request);
          const result = await work(request, request.body);
          if (result.url && request.body['redirect'] !== 'false') return reply.redirect(result.url);
          return json(reply, { before, ...result, after: await auth(request) });
        } catch (error) {
          return json(reply.code(400), callFailure(error));
        }
      });
    call('/sign-in', async (request, { provider, ...options }) => ({ url: await signIn(request, provider, options) }));
    call('/sign-out', async (request, options) => ({ url: (await signOut(request, options)).redirect }));
    call('/update', async (request, { name }) => ({ updated: await update(request, { name }) }));

    scope.get<{ Querystring: Query }>('/cached', async (request, reply) => {
      const session = await auth(request);
      reply.headers({ ...request.query, etag: '"contract"' });
      return request.headers['if-none-match'] === '"contract"' ? reply.code(304).send() : json(reply, session);
    });
    scope.get<{ Querystring: Query }>('/streamed', async (request, reply) => {
      const session = await auth(request);
      const stream = new PassThrough();
      stream.write(`start ${session?.user?.name}\n`);
      void waitForSuite(request.query['wait']).then(() => stream.end('end\n'));
      return reply.type('text/plain').send(stream);
    });
    scope.get<{ Querystring: Query }>('/late', async (request, reply) => {
      const stream = new PassThrough();
      const rest = async (): Promise<void> => {
        while (!reply.raw.headersSent) await once(stream, 'drain').catch(() => undefined);
        await waitForSuite(request.query['wait']);
        stream.write(`${(await auth(request))?.user?.name}\n`);
        if (request.query['call'] === 'sign-out') {
          const outcome = await signOut(request, { redirect: false }).then(
            () => 'done',
            (error) => callFailure(error).error,
          );
          stream.write(`${outcome}\n`);
        }
        stream.end();
      };
      stream.write('start\n');
      stream.once('resume', () => setImmediate(() => void rest()));
      return reply.type('text/plain').send(stream);
    });
    scope.get('/double', async (request, reply) => {
      const first = await auth(request);
      if (first?.user) first.user.name = 'Changed';
      return json(reply, [first, await auth(request)]);
    });
    scope.get<{ Querystring: Query }>('/own-cookies', async (request, reply) => {
      reply.header('set-cookie', 'theme=dark; Path=/');
      const session = await auth(request);
      reply.header('set-cookie', 'lang=en; Path=/');
      const { clear } = request.query;
      if (clear) reply.header('set-cookie', `${clear}=; Path=/; Max-Age=0`);
      return json(reply, session);
    });
    scope.get('/error', async (request) => {
      await auth(request);
      throw new Error('a secret detail of the application');
    });
  };
  app.setErrorHandler((error: { statusCode?: number }, _request, reply) =>
    reply
      .code(error.statusCode ?? 500)
      .header('x-error-handler', 'application')
      .send('failed'),
  );
  await app.register(shop, { prefix: base });
  return app;
}

/** Fastify sends `null` without a body. */
function json(reply: FastifyReply, body: unknown): FastifyReply {
  return reply.type('application/json').send(JSON.stringify(body));
}
