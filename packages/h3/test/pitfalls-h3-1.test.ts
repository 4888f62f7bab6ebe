import { H3Auth, SessionRequired } from '@latchkey/h3';
import { Browser } from '@latchkey/testing';
import { bindingConfig } from '@latchkey/testing/binding-application';
import { describe, expect, it, vi } from 'vitest';
import { type Layers, one } from './contract/application-h3-1.ts';

vi.mock('h3', async () => (await import('../../../test/compat/load.ts')).loadCompat('h3-1', 'h3'));

const origin = 'http://localhost:3000';
const config = bindingConfig({ updateAge: 0 });
const { handler, auth, requireSession } = H3Auth(config, {});

/** The application as runtimes with web-standard requests call it. */
function fetchOf(app: Layers): (request: Request) => Promise<Response> {
  const fetch = one.toWebHandler(app);
  return (request) => fetch(request, {});
}

describe('H3Auth on h3 1', () => {
  it('signs in and renews the session on runtimes without Node, which pass the body as a stream', async () => {
    const app = one.createApp({});
    app.use(handler);
    app.use(
      '/',
      one.eventHandler((event) => auth(event)),
    );
    const browser = new Browser(fetchOf(app), { origin });
    const { csrfToken } = (await browser.get('/auth/csrf')).json<{ csrfToken: string }>();
    await browser.post('/auth/callback/credentials', { csrfToken, name: 'Ada', password: 'password', json: 'true' });
    const page = await browser.get('/');
    expect(page.json()).toMatchObject({ user: { name: 'Ada' } });
    expect(page.headers.getSetCookie().map((line) => line.split('=')[0])).toEqual(['authjs.session-token']);
  });

  it('names the whole path of the request below a prefix', async () => {
    const own = H3Auth({ ...config, basePath: '/shop/auth' }, {});
    const app = one.createApp({});
    app.use('/shop', own.handler);
    app.use(
      '/shop',
      one.useBase(
        '/shop',
        one.eventHandler((event) => own.requireSession(event)),
      ),
    );
    const headers = { accept: 'text/html' };
    const page = await fetchOf(app)(new Request(`${origin}/shop/%61ccount?tab=1`, { headers }));
    expect([page.status, page.headers.get('location')]).toEqual([
      302,
      '/shop/auth/signin?callbackUrl=%2Fshop%2F%2561ccount%3Ftab%3D1',
    ]);
    expect((await fetchOf(app)(new Request(`${origin}/shop/auth/csrf`))).status).toBe(200);
  });

  it('refuses with an H3Error whose cause is SessionRequired, and writes nothing to the console', async () => {
    const log = vi.spyOn(console, 'error').mockReturnValue();
    const errors: Error[] = [];
    const app = one.createApp({ onError: (error) => void errors.push(error) });
    app.use(handler);
    app.use(
      '/',
      one.eventHandler((event) => requireSession(event)),
    );
    const refused = await fetchOf(app)(new Request(`${origin}/api`));
    const calls = log.mock.calls.length;
    log.mockRestore();
    expect([refused.status, calls, errors[0]?.cause]).toEqual([401, 0, expect.any(SessionRequired)]);
  });
});
