import { authenticate, ExpressAuth, type ExpressAuthConfig, getSession } from '@latchkey/express';
import type { RequestHandler } from 'express';
import { describe, expect, it, vi } from 'vitest';
import { configuration, env, frameworks, cookieName as name, serve, sessionCookie, signIn } from './site.ts';

async function cookie(): Promise<{ headers: { cookie: string } }> {
  return { headers: { cookie: await sessionCookie() } };
}

/** Each read renews the session. */
const due = (more: Partial<ExpressAuthConfig> = {}): ExpressAuthConfig =>
  configuration({ session: { updateAge: 0 }, ...more });

describe.each(frameworks)('the cookie of the session on %s', (_name, express) => {
  /** A page whose handler runs after the session was read. */
  async function page(handler: RequestHandler, config: ExpressAuthConfig = due(), times = 1) {
    const app = express();
    for (let count = 0; count < times; count++) app.use(authenticate(config, {}, env));
    app.get('/', handler);
    const { browser } = await serve(app);
    return browser.get('/', await cookie());
  }
  const namesOf = (answer: Awaited<ReturnType<typeof page>>): string[] => answer.setCookies.map((one) => one.name);

  it('is renewed by a page that reads it, and only by such a page', async () => {
    const answer = await page((_request, response) => void response.send('hello'));
    expect(namesOf(answer)).toEqual([name]);
    const [renewed] = answer.setCookies;
    expect(`${name}=${renewed?.value}`).not.toBe((await cookie()).headers.cookie);
    expect(answer.headers.get('cache-control')).toBe('private, no-store');
    const { browser } = await serve(express().get('/', (_request, response) => void response.send('hello')));
    expect(namesOf(await browser.get('/', await cookie()))).toEqual([]);
  });

  it('keeps shared caches from an answer that depends on it, also if it is not due', async () => {
    const notDue = configuration();
    const answer = await page((_request, response) => void response.send('hello'), notDue);
    expect([namesOf(answer), answer.headers.get('cache-control')]).toEqual([[], 'private, no-store']);
    const shared = await page((_request, response) => void response.set('cache-control', 'public').send('x'), notDue);
    expect([namesOf(shared), shared.headers.get('cache-control')]).toEqual([[], 'public']);
  });

  it('moves to the prefix __Host- with a page that reads it, and a sign-out clears both names', async () => {
    const app = express();
    const day = 86_400_000;
    const [past, next] = [-day, day].map((offset) => new Date(Date.now() + offset));
    const migrate = { from: past ?? expect.unreachable(), until: next ?? expect.unreachable() };
    const config = configuration({ useSecureCookies: true, cookies: { prefix: '__Host-', migrate } });
    app.use('/auth', ExpressAuth(config, env));
    app.get('/', authenticate(config, {}, env), (_request, response) => void response.send('hello'));
    const { browser } = await serve(app);
    const names = (): string[] => browser.cookies.all().flatMap((one) => (one.name.endsWith(name) ? [one.name] : []));
    browser.cookies.set(
      `__Secure-${name}`,
      (await sessionCookie({ name: 'Ada' }, `__Secure-${name}`)).split('=')[1] ?? '',
    );
    expect((await browser.get('/')).text()).toBe('hello');
    expect(names()).toEqual([`__Host-${name}`]);
    expect((await browser.get('/')).setCookies).toEqual([]);
    const page = await browser.get('/auth/signout');
    browser.cookies.set(`__Secure-${name}`, 'left over');
    await browser.submit(browser.form(page));
    expect(names()).toEqual([]);
    expect(browser.rejected).toEqual([]);
  });

  it('is renewed once, however often it is read', async () => {
    const answer = await page((_request, response) => void response.send('hello'), due(), 3);
    expect(namesOf(answer)).toEqual([name]);
  });

  it.each<[string, RequestHandler]>([
    ['end()', (_request, response) => void response.end('x')],
    ['json()', (_request, response) => void response.json({})],
    ['redirect()', (_request, response) => void response.redirect('/in')],
    [
      'writeHead(), kept private',
      (_request, response) => void response.writeHead(200, { 'Cache-Control': 'private' }).end(),
    ],
    ['writeHead() and end()', (_request, response) => void response.writeHead(201, { 'x-a': 'b' }).end()],
    [
      'flushHeaders()',
      (_request, response) => {
        response.flushHeaders();
        response.end('x');
      },
    ],
    [
      'write()',
      (_request, response) => {
        response.write('x');
        response.end();
      },
    ],
    [
      'an error',
      () => {
        throw Object.assign(new Error('x'), { status: 418 });
      },
    ],
  ])('is renewed by an answer of %s', async (_how, handler) => {
    expect(namesOf(await page(handler))).toEqual([name]);
  });

  it('is added to those of the application', async () => {
    const answer = await page((_request, response) => {
      response.cookie('theme', 'dark').cookie('a', 'b').set('cache-control', 'private, max-age=60').send('x');
    });
    expect(namesOf(answer)).toEqual(['theme', 'a', name]);
    expect(answer.headers.get('cache-control')).toBe('private, max-age=60');
  });

  it.each<[string, RequestHandler]>([
    ['an object', (_request, response) => void response.writeHead(200, { 'Cache-Control': 'public' }).end()],
    [
      'an object beside a reason',
      (_request, response) => void response.writeHead(200, 'OK', { 'Cache-Control': 'public' }).end(),
    ],
    ['cookies', (_request, response) => void response.writeHead(200, { 'Set-Cookie': `${name}=; Max-Age=0` }).end()],
    ['a list', (_request, response) => void response.writeHead(200, ['Cache-Control', 'public']).end()],
  ])('is not renewed beside such headers in `writeHead`: %s', async (_which, handler) => {
    const answer = await page(handler);
    expect(answer.setCookies.filter(({ value }) => value !== '')).toEqual([]);
    expect(['public', 'private, no-store']).toContain(answer.headers.get('cache-control'));
  });

  it('is not set if the application has set or deleted it', async () => {
    const answer = await page((_request, response) => void response.clearCookie(name).send('bye'));
    expect(answer.setCookies.map(({ value }) => value)).toEqual(['']);
    const chunk = await page((_request, response) => void response.cookie(`${name}.0`, 'own').send('x'));
    expect(namesOf(chunk)).toEqual([`${name}.0`]);
    const similar = await page((_request, response) => void response.cookie(`x${name}`, 'other').send('x'));
    expect(namesOf(similar)).toEqual([`x${name}`, name]);
  });

  it('is not renewed on files that caches may keep', async () => {
    const app = express().use(authenticate(due(), {}, env));
    const { browser } = await serve(app.use(express.static(import.meta.dirname, { maxAge: '1d' })));
    const answer = await browser.get('/site.ts', await cookie());
    expect([answer.status, namesOf(answer)]).toEqual([200, []]);
    expect(answer.headers.get('cache-control')).toBe('public, max-age=86400');
  });

  it('is not renewed after the headers were sent', async () => {
    const issue = vi.fn(() => 'token');
    const config = due({ jwt: { encode: issue, decode: () => ({ name: 'Ada' }) } });
    const app = express().get('/', async (request, response) => {
      response.write('hello ');
      const session = await getSession(request, config, env);
      response.end(session?.user?.name);
    });
    app.get('/meanwhile', async (request, response) => {
      const asked = getSession(request, config, env);
      response.write('hello ');
      response.end((await asked)?.user?.name);
    });
    const { browser } = await serve(app);
    for (const path of ['/', '/meanwhile']) {
      const answer = await browser.get(path, await cookie());
      expect([answer.text(), namesOf(answer)]).toEqual(['hello Ada', []]);
    }
    // Only the second read began before the headers were sent.
    expect(issue).toHaveBeenCalledTimes(1);
  });

  it('is not restored after a sign-out or a change of user', async () => {
    const config = due();
    const app = express()
      .use(authenticate(config, {}, env))
      .use('/auth', ExpressAuth(config, env));
    const { browser } = await serve(app);
    await signIn(browser);
    await signIn(browser, '/auth', 'Grace');
    expect((await browser.get('/auth/session')).json()).toMatchObject({ user: { name: 'Grace' } });
    await browser.submit(browser.form(await browser.get('/auth/signout')));
    expect((await browser.get('/auth/session')).json()).toBe(null);
    expect(browser.cookies.all().map((one) => one.name)).not.toContain(name);
  });
});
