import type { AuthConfig } from '@latchkey/core/types';
import { memoryAdapter } from '@latchkey/testing';
import type { Context, Hono, MiddlewareHandler } from 'hono';
import { describe, expect, it } from 'vitest';
import { loadPeer } from '../peers/load.ts';
import { signsInAndOut, startApplication, type Wrapper } from './journey.ts';
import { serve } from './server.ts';

/** The parts of the wrapper that its documentation shows. */
interface HonoAuthJs {
  authHandler(): MiddlewareHandler;
  initAuthConfig(make: (c: Context) => AuthConfig): MiddlewareHandler;
  verifyAuth(): MiddlewareHandler;
}

/** The visitor as the wrapper knows it. */
interface AuthUser {
  session: { user?: { email?: string } };
  token?: { email?: string };
  user?: { email?: string };
}

const { authHandler, initAuthConfig, verifyAuth } = await loadPeer<HonoAuthJs>('hono-auth-js', '@hono/auth-js');
const hono = await loadPeer<{ Hono: typeof Hono }>('hono-auth-js', 'hono');
const node = await loadPeer<typeof import('@hono/node-server')>('hono-auth-js', '@hono/node-server');

function application(config: AuthConfig): Hono<{ Variables: { authUser: AuthUser } }> {
  const app = new hono.Hono<{ Variables: { authUser: AuthUser } }>();
  app.use(
    '*',
    initAuthConfig(() => config),
  );
  app.use('/api/auth/*', authHandler());
  app.get('/me', verifyAuth(), (c) => c.json({ email: c.get('authUser').session.user?.email }));
  app.get('/api/whole', verifyAuth(), (c) => c.json(c.get('authUser')));
  return app;
}

const web: Wrapper = { basePath: '/api/auth', start: (config) => application(config).fetch };

const onNode: Wrapper = {
  basePath: '/api/auth',
  start: (config) => serve(node.getRequestListener(application(config).fetch)),
};

describe('@hono/auth-js', () => {
  signsInAndOut(web);

  it('describes the visitor by the token, or by the user of the store', async () => {
    const byToken = await startApplication(web);
    await byToken.signIn();
    expect((await byToken.browser.get('/api/whole')).json()).toMatchObject({
      token: { email: 'ada@example.com' },
      session: { user: { email: 'ada@example.com' } },
    });
    const byStore = await startApplication(web, { adapter: memoryAdapter(), session: { strategy: 'database' } });
    await byStore.signIn();
    expect((await byStore.browser.get('/api/whole')).json()).toMatchObject({ user: { email: 'ada@example.com' } });
  });
});

describe('@hono/auth-js with @hono/node-server', () => {
  signsInAndOut(onNode);
});
