import type { ServerResponse } from 'node:http';
import { ExpressAuth, type ExpressAuthConfig, getSession, sessionsFrom } from '@latchkey/express';
import { MemorySessionRecords } from '@latchkey/testing';
import type { ErrorRequestHandler } from 'express';
import { describe, expect, it } from 'vitest';
import { configuration, cookieName, env, frameworks, serve, signIn } from './site.ts';

describe.each(frameworks)('sessionsFrom on %s', (_name, express) => {
  async function site(config: ExpressAuthConfig) {
    const app = express();
    app.use('/auth', ExpressAuth(config, env));
    app.get('/devices', async (request, response) => {
      response.json(await sessionsFrom(request, config, env).list());
    });
    app.post('/devices/:end', async (request, response) => {
      const sessions = sessionsFrom(request, config, env);
      const { end } = request.params;
      // A session that was read before must not be returned again.
      await getSession(request, config, env);
      const ended = end === 'others' ? await sessions.endOthers() : await sessions.endAll();
      response.json({ ...ended, session: await getSession(request, config, env) });
    });
    const fail: ErrorRequestHandler = (error, _request, response, _next) =>
      void response.status(500).json({ type: error.type, message: error.message });
    const { browser, origin } = await serve(app.use(fail));
    return { browser, origin };
  }

  const withRecords = (): ExpressAuthConfig =>
    configuration({ session: { records: { store: MemorySessionRecords() } } });

  it('lists and ends the sessions of the visitor, on answers that shared caches do not keep', async () => {
    const { browser } = await site(withRecords());
    const phone = browser.clone();
    await signIn(browser);
    await signIn(phone);
    const page = await browser.get('/devices');
    expect(page.headers.get('cache-control')).toBe('private, no-store');
    expect(page.json()).toEqual([
      expect.objectContaining({ current: false }),
      expect.objectContaining({ current: true }),
    ]);
    const others = await browser.post('/devices/others');
    expect(others.json()).toMatchObject({ count: 1, within: 10, session: { user: { name: 'Ada' } } });
    expect((await phone.get('/devices')).json()).toEqual([]);
  });

  it('signs out with the last session, also for the rest of the request', async () => {
    const { browser } = await site(withRecords());
    await signIn(browser);
    const page = await browser.post('/devices/all');
    expect(page.json()).toEqual({ count: 1, within: 10, session: null });
    expect(page.cookie(cookieName)?.value).toBe('');
    expect(page.headers.get('cache-control')).toBe('private, no-store');
  });

  it.each<[string, (response: ServerResponse) => unknown]>([
    [
      'an object',
      (response) => response.writeHead(200, { 'Cache-Control': 'public', 'CDN-Cache-Control': 'max-age=9' }),
    ],
    ['a list', (response) => response.writeHead(200, 'OK', ['Cache-Control', 'public', 'X-Kept', 'yes'])],
  ])('clears the cookie on an answer that no cache keeps, also if `writeHead` allows it: %s', async (which, write) => {
    const config = withRecords();
    const app = express().use('/auth', ExpressAuth(config, env));
    app.post('/out', async (request, response) => {
      await sessionsFrom(request, config, env).endAll();
      write(response);
      response.end();
    });
    const { browser } = await serve(app);
    await signIn(browser);
    const page = await browser.post('/out');
    expect(page.cookie(cookieName)?.value).toBe('');
    expect(page.headers.get('cache-control')).toBe('private, no-store');
    expect([page.headers.get('cdn-cache-control'), page.headers.get('x-kept')]).toEqual([
      null,
      which === 'a list' ? 'yes' : null,
    ]);
  });

  it('ends nothing for a form of another site', async () => {
    const { browser } = await site(withRecords());
    await signIn(browser);
    const page = await browser.post('/devices/all', {}, { initiator: 'https://evil.test' });
    expect([page.status, page.json()]).toMatchObject([500, { type: 'MissingCSRF' }]);
    expect((await browser.get('/devices')).json()).toHaveLength(1);
  });

  it('names the missing option', async () => {
    const { browser } = await site(configuration());
    expect((await browser.get('/devices')).json()).toMatchObject({
      type: 'SessionRecordsError',
      message: expect.stringContaining('`session.records`'),
    });
  });
});
