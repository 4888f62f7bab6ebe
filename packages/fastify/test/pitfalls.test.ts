import { FastifyAuth } from '@latchkey/fastify';
import { bindingConfig } from '@latchkey/testing/binding-application';
import fastify from 'fastify';
import { describe, expect, it, vi } from 'vitest';

const page = { accept: 'text/html' };

describe('FastifyAuth', () => {
  it('does not run a guarded handler for a visitor who is redirected', async () => {
    const { plugin, required } = FastifyAuth(bindingConfig(), {});
    const app = fastify();
    await app.register(plugin);
    const ran = vi.fn();
    const guard = { preHandler: required() };
    app.get('/raw', guard, (_request, reply) => {
      ran();
      reply.hijack();
      reply.raw.end('private');
    });
    app.get('/async', guard, async (_request, reply) => {
      ran();
      return reply.header('x-private', 'yes').send('private');
    });
    for (const url of ['/raw', '/async']) {
      const { statusCode, headers, body } = await app.inject({ url, headers: page });
      expect([statusCode, headers.location, headers['x-private'], body]).toEqual([
        302,
        `/auth/signin?callbackUrl=%2F${url.slice(1)}`,
        undefined,
        '',
      ]);
    }
    expect(ran).not.toHaveBeenCalled();
  });

  it("hides the problems of the configuration in Fastify's own answer to an error", async () => {
    const { plugin, auth, required } = FastifyAuth(bindingConfig({ problem: true }), {});
    const app = fastify();
    await app.register(plugin);
    app.get('/', async (request) => auth(request));
    app.get('/guarded', { preHandler: required() }, async () => 'private');
    for (const url of ['/', '/guarded']) {
      const answer = (await app.inject({ url })).json();
      expect(answer).toMatchObject({ statusCode: 500, message: 'Internal Server Error' });
    }
  });

  it('answers actions so that no cache keeps them, also if a hook has allowed it', async () => {
    const app = fastify();
    app.addHook('onRequest', async (_request, reply) => {
      reply.headers({ 'cache-control': 'public, max-age=60', 'cdn-cache-control': 'max-age=60' });
    });
    await app.register(FastifyAuth(bindingConfig(), {}).plugin);
    const { headers } = await app.inject({ url: '/auth/session' });
    expect(headers['cache-control']).toMatch(/^private,.* no-store$/);
    expect(headers['cdn-cache-control']).toBeUndefined();
  });
});
