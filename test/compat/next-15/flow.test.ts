import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { build, latchkey, type Served, serve } from '../../../packages/next/test/built/next-application.ts';
import { browse, shown, submit } from '../../../packages/next/test/built/visit.ts';
import { secret } from '../../../packages/next/test/site.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = fileURLToPath(new URL('../../..', import.meta.url));
const folder = `${here}application-shop`;
const source = `${root}packages/next/test/apps/shop`;
const ada = { name: 'Ada', password: 'password' };
const box: { served?: Served } = {};
const served = (): Served => box.served as Served;

/**
 * Writes the application of the binding's own tests. Latchkey's packages are copied, because linked packages would
 * import the repository's `next`. Next.js 15 calls a proxy middleware, and bundles with webpack.
 */
function lay(): void {
  rmSync(folder, { recursive: true, force: true });
  const left = ['.next', 'proxy.ts', 'tsconfig.json', 'closed', 'closed-pages', 'closed-props', 'faults.ts'];
  cpSync(source, folder, { recursive: true, filter: (path) => !left.includes(path.split('/').at(-1) ?? '') });
  for (const name of ['next', 'core']) {
    for (const part of ['dist', 'package.json']) {
      cpSync(`${root}packages/${name}/${part}`, `${folder}/node_modules/@latchkey/${name}/${part}`, {
        recursive: true,
      });
    }
  }
  writeFileSync(
    `${folder}/middleware.ts`,
    `import { auth, signIn, signOut } from './auth.ts';

/** Calls the functions that look for the current request themselves. */
const wrapped = auth(async (request) => {
  const options = { name: 'Grace', password: 'password', redirect: false };
  const acts = {
    look: async () => ({ given: request.auth?.user?.name, found: (await auth())?.user?.name }),
    enter: async () => ({ to: await signIn('credentials', options) }),
    leave: () => signOut({ redirect: false }),
  };
  return Response.json(await acts[request.nextUrl.pathname.split('/')[1]]());
});

export const middleware = (request, event) =>
  /^.(look|enter|leave)/.test(request.nextUrl.pathname) ? wrapped(request, event) : auth(request, event);
export const config = { matcher: '/((?!_next/).*)' };
`,
  );
  writeFileSync(
    `${folder}/next.config.ts`,
    `export default {
  basePath: '/shop',
  trailingSlash: true,
  outputFileTracingRoot: '${here}',
  eslint: { ignoreDuringBuilds: true },
  typescript: { ignoreBuildErrors: true },
  // The build is neither downloaded nor installed elsewhere.
  outputFileTracingExcludes: { '*': ['**/*'], 'next-server': ['**/*'] },
  experimental: { cpus: 1 },
  webpack: (config) => ({ ...config, cache: false, optimization: { ...config.optimization, minimize: false } }),
};
`,
  );
}

/** With middleware, a base path and trailing slashes, Next.js 15 answers the start page without a body. */
const home = '/shop/home/';

beforeAll(async () => {
  const application = { folder, next: `${here}node_modules/next` };
  await build(application, { from: [source, ...latchkey, `${here}package-lock.json`, import.meta.filename], lay });
  box.served = await serve(application, { AUTH_SECRET: secret, AUTH_TRUST_HOST: 'true' });
});
afterAll(() => box.served?.stop());

describe('Next.js 15', () => {
  it('guards, signs in by the built-in page, comes back, and signs out', async () => {
    expect(served().log()).toContain('Next.js 15.');
    const browser = browse(served(), 'https://shop.example');
    const page = await browser.follow(await browser.get('/shop/private/?a=1'), { until: 'page' });
    const entered = await browser.submit(browser.form(page, 'callback/credentials'), ada);
    const back = await browser.follow(entered, { until: 'page' });
    expect(back.url).toBe('https://shop.example/shop/private/?a=1');
    expect(back.text()).toContain('private goods');
    expect(shown(await browser.get(home), 'session')).toMatchObject({ user: { name: 'Ada' }, role: 'buyer' });
    const leaving = await browser.follow(await browser.get('/shop/api/auth/signout'), { until: 'page' });
    await browser.follow(await browser.submit(browser.form(leaving, 'signout')), { until: 'page' });
    expect((await browser.get('/shop/private/')).status).toBe(307);
  });

  it('signs in, updates and signs out in server actions', async () => {
    const browser = browse(served());
    const refused = await submit(browser, '/shop/desk/', 'enter', { ...ada, password: 'wrong' });
    expect(refused.redirect?.searchParams.get('error')).toBe('CredentialsSignin');
    const { redirect } = await submit(browser, '/shop/desk/', 'enterAndLook', ada);
    expect(redirect?.searchParams.get('sees')).toBe('Ada');
    await submit(browser, '/shop/desk/', 'rename', { name: 'Grace' });
    expect(shown(await browser.get(home), 'session')).toMatchObject({ user: { name: 'Grace' } });
    const left = await submit(browser, '/shop/desk/', 'leave');
    expect(left.redirect?.pathname).toMatch(/^\/shop\/still\/?$/);
    expect(browser.cookies.has('authjs.session-token')).toBe(false);
  });

  it('reads the session on the edge: in a page, a route handler, and functions within the middleware', async () => {
    const browser = browse(served());
    await submit(browser, '/shop/desk/', 'enter', ada);
    expect(shown(await browser.get('/shop/edge/'), 'session')).toMatchObject({ user: { name: 'Ada' } });
    expect((await browser.get('/shop/api/edge/')).json()).toMatchObject({ user: { name: 'Ada' } });
    expect((await browser.get('/shop/look/')).json()).toEqual({ given: 'Ada', found: 'Ada' });
  });

  it('signs in and out within the middleware', async () => {
    const browser = browse(served());
    expect((await browser.get('/shop/enter/')).status).toBe(200);
    expect((await browser.get('/shop/look/')).json()).toEqual({ given: 'Grace', found: 'Grace' });
    expect((await browser.get('/shop/leave/')).status).toBe(200);
    expect(browser.cookies.has('authjs.session-token')).toBe(false);
  });

  it('refuses writes in read-only places, and passes on the cookies that the middleware sets', async () => {
    const browser = browse(served());
    await submit(browser, '/shop/desk/', 'enter', ada);
    expect(shown(await browser.get('/shop/read-only/'), 'results')).toEqual({
      results: ['CookiesNotWritable', 'CookiesNotWritable', 'CookiesNotWritable'],
      passwordsSeen: 0,
    });
    const page = await browser.get(home);
    const sent = browser.cookies.get('authjs.session-token')?.value;
    expect(shown(page, 'cookies')).toMatchObject({ 'authjs.session-token': sent });
    expect((await browser.get('/shop/api/wrapped/7/')).json()).toMatchObject({ session: { user: { name: 'Ada' } } });
    const left = await browser.post('/shop/api/wrapped/7/', { some: 'text' });
    expect(left.json()).toMatchObject({ left: 'Ada', sent: 'some=text' });
    expect(browser.cookies.has('authjs.session-token')).toBe(false);
  });
});
