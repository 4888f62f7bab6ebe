import { connect } from 'node:net';
import { ExpressAuth } from '@latchkey/express';
import type { ErrorRequestHandler, RequestHandler } from 'express';
import { describe, expect, it, vi } from 'vitest';
import { configuration, env, frameworks, serve, signIn } from './site.ts';

describe.each(frameworks)('an answer on %s', (_name, express) => {
  it('carries each cookie in a header of its own, beside those of other middleware', async () => {
    const before: RequestHandler = (_request, response, next) => {
      response.cookie('theme', 'dark').cookie('language', 'eo').set('x-before', 'kept');
      next();
    };
    const { origin } = await serve(express().use(before).use('/auth', ExpressAuth(configuration(), env)));
    const { headers } = await fetch(`${origin}/auth/csrf`);
    expect(headers.getSetCookie().map((line) => line.split('=')[0])).toEqual([
      'theme',
      'language',
      'authjs.csrf-token',
      'authjs.callback-url',
    ]);
    expect(headers.get('x-before')).toBe('kept');
  });

  it('carries headers that are set when it is written', async () => {
    const late: RequestHandler = (_request, response, next) => {
      const writeHead = response.writeHead.bind(response) as (...args: unknown[]) => typeof response;
      response.writeHead = (...args: unknown[]) => {
        response.setHeader('x-late', 'set');
        return writeHead(...args);
      };
      next();
    };
    const { origin } = await serve(express().use(late).use('/auth', ExpressAuth(configuration(), env)));
    const { headers } = await fetch(`${origin}/auth/csrf`);
    expect([headers.get('x-late'), headers.getSetCookie().length]).toEqual(['set', 2]);
  });

  it('is kept by no cache, also if other middleware has set headers that allow it', async () => {
    const before: RequestHandler = (_request, response, next) => {
      response.set({ 'cache-control': 'public, max-age=60', 'cdn-cache-control': 'max-age=60' });
      next();
    };
    const { origin } = await serve(express().use(before).use('/auth', ExpressAuth(configuration(), env)));
    const { headers } = await fetch(`${origin}/auth/session`);
    expect(headers.get('cache-control')).toMatch(/^private,.* no-store$/);
    expect(headers.get('cdn-cache-control')).toBeNull();
  });

  it('of a page has its own policy, and its length in bytes', async () => {
    const helmet: RequestHandler = (_request, response, next) => {
      response.set('content-security-policy', "form-action 'self'");
      next();
    };
    const config = configuration({ theme: { brandColor: 'rebeccapurple' } });
    const { browser } = await serve(express().use(helmet).use('/auth', ExpressAuth(config, env)));
    const page = await browser.get('/auth/signin');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(page.headers.get('content-security-policy')).not.toContain('form-action');
    expect(page.headers.get('content-length')).toBe(String(Buffer.byteLength(page.text())));
  });

  it('does not call the next handler', async () => {
    const behind = vi.fn();
    const app = express().use('/auth', ExpressAuth(configuration(), env), behind);
    const { browser } = await serve(app);
    await browser.get('/auth/session');
    await browser.get('/auth/unknown');
    expect(behind).not.toHaveBeenCalled();
  });

  it('passes exceptions to the application’s error handler', async () => {
    const config = configuration();
    // The binding itself fails, after all checks.
    const broken = new Proxy(config, {
      ownKeys: () => {
        throw new Error('out of order');
      },
    });
    const handler: ErrorRequestHandler = (error, _request, response, _next) =>
      void response.status(503).send(error.message);
    const { browser } = await serve(express().use('/auth', ExpressAuth(broken, env)).use(handler));
    const page = await browser.get('/auth/session');
    expect([page.status, page.text()]).toEqual([503, 'out of order']);
  });

  it('is not written over the answer of a timeout', async () => {
    const slow = configuration({
      callbacks: { session: ({ session }) => new Promise((resolve) => setTimeout(() => resolve(session), 50)) },
    });
    const impatient: RequestHandler = (_request, response, next) => {
      setTimeout(() => response.headersSent || response.status(504).end('too slow'), 10);
      next();
    };
    const failed = vi.fn();
    const onError: ErrorRequestHandler = (error, _request, _response, next) => {
      failed();
      next(error);
    };
    const app = express().use('/slow', impatient).use(['/slow', '/auth'], ExpressAuth(slow, env)).use(onError);
    const { browser } = await serve(app);
    await signIn(browser);
    const page = await browser.get('/slow/session');
    expect([page.status, page.text()]).toEqual([504, 'too slow']);
    await new Promise((resolve) => setTimeout(resolve, 80));
    expect(failed).not.toHaveBeenCalled();
  });

  it('may belong to clients that disconnect', async () => {
    const { browser, port } = await serve(express().use('/auth', ExpressAuth(configuration(), env)));
    const head = `POST /auth/signout HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{`;
    for (const text of [head, 'GET /auth/session HTTP/1.1\r\nhost: x\r\n\r\n']) {
      await new Promise<void>((resolve) => {
        const socket = connect(port, '127.0.0.1', () =>
          socket.write(text, () => setTimeout(() => socket.destroy(), 5)),
        );
        socket.once('close', () => resolve());
      });
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect((await browser.get('/auth/session')).status).toBe(200);
  });
});
