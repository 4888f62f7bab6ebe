import formbody from '@fastify/formbody';
import fastify, { type FastifyInstance } from 'fastify';
import { examplePages, pageHeaders } from '../shared/example-pages.ts';
import { icon } from '../shared/style.ts';
import { auth, plugin, required, signOut, update } from './auth.ts';

const pages = examplePages('Fastify');

/** Returns the application. */
export async function createApp(): Promise<FastifyInstance> {
  const app = fastify({ trustProxy: 'loopback' });
  await app.register(formbody);
  // Answers below `/auth`, and renews the session on the replies of all routes.
  await app.register(plugin);

  app.get('/', async (request, reply) => reply.headers(pageHeaders).send(pages.start(await auth(request))));
  app.get('/private', { preHandler: required() }, async (request, reply) => {
    const session = await auth(request);
    return session && reply.headers(pageHeaders).send(pages.private(session));
  });

  app.post('/sign-out', async (request, reply) => {
    const { redirect } = await signOut(request, { redirectTo: '/' });
    return reply.redirect(redirect);
  });
  app.post<{ Body: { name?: string } }>('/update', async (request, reply) => {
    await update(request, { name: request.body.name });
    return reply.redirect('/');
  });

  app.get('/favicon.ico', (_request, reply) => reply.type('image/svg+xml').send(icon));
  return app;
}
