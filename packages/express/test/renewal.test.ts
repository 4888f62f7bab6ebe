import { encode as seal } from '@latchkey/core/jwt';
import { authenticate, ExpressAuth, type ExpressAuthConfig, getSession } from '@latchkey/express';
import { memoryAdapter } from '@latchkey/testing';
import type { RequestHandler } from 'express';
import { describe, expect, it, vi } from 'vitest';
import { configuration, env, frameworks, secret, serve, signIn } from './site.ts';

const name = 'authjs.session-token';

async function cookie(token: object = { name: 'Ada' }): Promise<{ headers: { cookie: string } }> {
  return { headers: { cookie: `${name}=${await seal({ token, secret, salt: name })}` } };
}

/** Sessions are due with each reading. */
const due = (more: Partial<ExpressAuthConfig> = {}): ExpressAuthConfig =>
  configuration({ session: { updateAge: 0 }, ...more });

describe.each(frameworks)('the cookie of the session on %s', (_name, express) => {
  /** A page whose handler runs after the session was asked for. */
  async function page(handler: RequestHandler, config: ExpressAuthConfig = due(), times = 1) {
    const app = express();
    for (let count = 0; count < times; count++) app.use(authenticate(config, {}, env));
    app.get('/', handler);
    const { browser } = await serve(app);
    return browser.get('/', await cookie());
  }
  const namesOf = (answer: Awaited<ReturnType<typeof page>>): string[] => answer.setCookies.map((one) => one.name);

  it('is renewed by a page that asks, and by it alone', async () => {
    const answer = await page((_request, response) => void response.send('hello'));
    expect(namesOf(answer)).toEqual([name]);
    const [renewed] = answer.setCookies;
    expect(`${name}=${renewed?.value}`).not.toBe((await cookie()).headers.cookie);
    expect(answer.headers.get('cache-control')).toBe('private, no-cache');
    const { browser } = await serve(express().get('/', (_request, response) => void response.send('hello')));
    expect(namesOf(await browser.get('/', await cookie()))).toEqual([]);
  });

  it('stays as it is until it is due: an answer that comes late brings no ended session back', async () => {
    const answer = await page((_request, response) => void response.send('hello'), configuration());
    expect([namesOf(answer), answer.headers.get('cache-control')]).toEqual([[], null]);
  });

  it('is renewed once, however often it is asked for', async () => {
    const answer = await page((_request, response) => void response.send('hello'), due(), 3);
    expect(namesOf(answer)).toEqual([name]);
  });

  it.each<[string, RequestHandler]>([
    ['end()', (_request, response) => void response.end('x')],
    ['json()', (_request, response) => void response.json({})],
    ['redirect()', (_request, response) => void response.redirect('/in')],
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

  it('stands beside those of the application', async () => {
    const answer = await page((_request, response) => void response.cookie('theme', 'dark').cookie('a', 'b').send('x'));
    expect(namesOf(answer)).toEqual(['theme', 'a', name]);
  });

  it.each([
    ['private, max-age=60', true],
    ['no-store', true],
    ['max-age=0,PRIVATE', true],
    ['public, max-age=3600', false],
    ['max-age=3600', false],
    ['no-cache', false],
    ['no-cache="private"', false],
    ['x-private', false],
  ])('goes where no shared cache keeps it; Cache-Control: %s → %s', async (value, isRenewed) => {
    const answer = await page((_request, response) => void response.set('cache-control', value).send('x'));
    expect(namesOf(answer)).toEqual(isRenewed ? [name] : []);
    expect(answer.headers.get('cache-control')).toBe(value);
  });

  it.each([
    ['CDN-Cache-Control', 'max-age=60'],
    ['Vercel-CDN-Cache-Control', 'max-age=60'],
    ['Cloudflare-CDN-Cache-Control', 'max-age=60'],
    ['Netlify-CDN-Cache-Control', 'public, s-maxage=60'],
    ['Surrogate-Control', 'max-age=60'],
    ['Edge-Control', '!no-store, max-age=60'],
    ['X-Accel-Expires', '60'],
  ])('does not go where %s lets a network keep it', async (header, value) => {
    const answer = await page((_request, response) => void response.set(header, value).send('x'));
    expect(namesOf(answer)).toEqual([]);
    const given = await page((_request, response) => void response.writeHead(200, { [header]: value }).end());
    expect(namesOf(given)).toEqual([]);
  });

  it.each([
    ['CDN-Cache-Control', 'no-store'],
    ['Surrogate-Control', 'no-store'],
    ['X-Accel-Expires', '0'],
  ])('goes where %s forbids it to networks, and is kept from all others, too', async (header, value) => {
    const answer = await page((_request, response) => void response.set(header, value).send('x'));
    expect([namesOf(answer), answer.headers.get('cache-control')]).toEqual([[name], 'private, no-cache']);
    const open = await page(
      (_request, response) => void response.set({ [header]: value, 'cache-control': 'public' }).send('x'),
    );
    expect(namesOf(open)).toEqual([]);
  });

  it.each<[string, RequestHandler]>([
    ['an object', (_request, response) => void response.writeHead(200, { 'Cache-Control': 'public' }).end()],
    [
      'an object beside a reason',
      (_request, response) => void response.writeHead(200, 'OK', { 'Cache-Control': 'public' }).end(),
    ],
    ['cookies', (_request, response) => void response.writeHead(200, { 'Set-Cookie': `${name}=; Max-Age=0` }).end()],
    ['a list', (_request, response) => void response.writeHead(200, ['Cache-Control', 'public']).end()],
  ])('does not go beside headers that are given with the head: %s', async (_which, handler) => {
    const answer = await page(handler);
    expect(answer.setCookies.filter(({ value }) => value !== '')).toEqual([]);
    expect(['public', null]).toContain(answer.headers.get('cache-control'));
  });

  it('never comes back where the application has taken it', async () => {
    const answer = await page((_request, response) => void response.clearCookie(name).send('bye'));
    expect(answer.setCookies.map(({ value }) => value)).toEqual(['']);
    const chunk = await page((_request, response) => void response.cookie(`${name}.0`, 'own').send('x'));
    expect(namesOf(chunk)).toEqual([`${name}.0`]);
    const similar = await page((_request, response) => void response.cookie(`x${name}`, 'other').send('x'));
    expect(namesOf(similar)).toEqual([`x${name}`, name]);
  });

  it('is left alone by files that caches may keep', async () => {
    const app = express().use(authenticate(due(), {}, env));
    const { browser } = await serve(app.use(express.static(import.meta.dirname, { maxAge: '1d' })));
    const answer = await browser.get('/site.ts', await cookie());
    expect([answer.status, namesOf(answer)]).toEqual([200, []]);
    expect(answer.headers.get('cache-control')).toBe('public, max-age=86400');
  });

  it('is not missed when the headers are gone', async () => {
    const encode = vi.fn(() => 'token');
    const config = due({ jwt: { encode, decode: () => ({ name: 'Ada' }) } });
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
    // Only the second could still hope for its cookie when it asked.
    expect(encode).toHaveBeenCalledTimes(1);
  });

  it('goes away when it is unreadable', async () => {
    const config = due();
    const app = express()
      .use(authenticate(config, {}, env))
      .get('/', (_request, response) => void response.send('x'));
    const { browser } = await serve(app);
    const answer = await browser.get('/', { headers: { cookie: `${name}=nonsense` } });
    expect(answer.setCookies.map((one) => [one.name, one.value])).toEqual([[name, '']]);
  });

  it('survives neither sign-out nor a change of user, wherever the middleware stands', async () => {
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

  it('lives as long as the row in the store, which is extended', async () => {
    const adapter = memoryAdapter();
    const user = await adapter.createUser({ id: '1', email: 'ada@example.com', emailVerified: null });
    const soon = new Date(Date.now() + 60_000);
    await adapter.createSession({ sessionToken: 'of-ada', userId: user.id, expires: soon });
    const app = express().use(authenticate(due({ adapter, session: { strategy: 'database', updateAge: 0 } }), {}, env));
    const { browser } = await serve(app.get('/', (_request, response) => void response.json(response.locals)));
    const answer = await browser.get('/', { headers: { cookie: `${name}=of-ada` } });
    const row = adapter.store.sessions.get('of-ada');
    expect(row?.expires.getTime()).toBeGreaterThan(soon.getTime());
    expect(answer.json()).toMatchObject({ session: { expires: row?.expires.toISOString() } });
    expect(namesOf(answer)).toEqual([name]);
  });
});
