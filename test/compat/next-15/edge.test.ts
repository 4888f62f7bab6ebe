import { cpSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { build, latchkey, type Served, serve } from '../../../packages/next/test/built/next-application.ts';
import { browse, shown } from '../../../packages/next/test/built/visit.ts';
import { cookieOf, secret } from '../../../packages/next/test/site.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = fileURLToPath(new URL('../../..', import.meta.url));
const folder = `${here}application-edge`;
const source = `${here}apps/edge`;
const box: { served?: Served } = {};

/** Writes the application with copies of Latchkey's packages. Turbopack does not look outside of `next-15`. */
function lay(): void {
  rmSync(folder, { recursive: true, force: true });
  cpSync(source, folder, { recursive: true });
  cpSync(`${root}node_modules/oauth4webapi`, `${folder}/node_modules/oauth4webapi`, { recursive: true });
  for (const name of ['next', 'core']) {
    for (const part of ['dist', 'package.json']) {
      cpSync(`${root}packages/${name}/${part}`, `${folder}/node_modules/@latchkey/${name}/${part}`, {
        recursive: true,
      });
    }
  }
}

beforeAll(async () => {
  const application = { folder, next: `${here}node_modules/next` };
  const from = [source, ...latchkey, `${here}package-lock.json`, import.meta.filename];
  await build(application, { from, lay, options: ['--turbopack'] });
  box.served = await serve(application, { AUTH_SECRET: secret, AUTH_TRUST_HOST: 'true' });
}, 1_200_000);
afterAll(() => box.served?.stop());

/** The answer to a signed-in visitor. */
async function get(path: string): Promise<Response> {
  return fetch(`http://localhost:${box.served?.port}${path}`, { headers: { cookie: await cookieOf() } });
}

describe('Next.js 15, built by Turbopack, on the edge runtime', () => {
  it('tells the session to auth() inside of the middleware auth(handler)', async () => {
    const response = await get('/look');
    expect([response.status, await response.json()]).toEqual([200, { given: 'Ada', found: 'Ada' }]);
  });

  it('signs in and out inside of the middleware', async () => {
    const entered = await get('/enter');
    expect(entered.status).toBe(200);
    expect(entered.headers.getSetCookie().join()).toContain('authjs.session-token=ey');
    const left = await get('/leave');
    expect(left.status).toBe(200);
    expect(left.headers.getSetCookie().join()).toContain('authjs.session-token=;');
  });

  it('tells the session to pages and route handlers', async () => {
    expect(await (await get('/route')).json()).toMatchObject({ user: { name: 'Ada' } });
    const browser = browse(box.served as Served);
    expect(shown(await browser.get('/'), 'session')).toBeNull();
    expect(await (await get('/')).text()).toContain('Ada');
  });
});
