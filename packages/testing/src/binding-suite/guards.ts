import { check, same } from '../adapter-suite/expect.ts';
import type { Page } from '../browser.ts';
import { type BindingCase, rule } from './case.ts';
import type { Scene } from './scene.ts';
import { NAVIGATION, sessionCookie, sessionCookies } from './site.ts';

/** Guards of pages and API routes. */
export const guards: readonly BindingCase[] = [
  rule('a browser that opens a guarded page is sent to the sign-in page, and comes back to path and query', (scene) =>
    isSentToSignIn(scene, '/guarded?a=1&b=%2Fx'),
  ),

  rule('a browser without `Sec-Fetch-Mode` is recognized by `Accept: text/html`', async (scene) => {
    const site = await scene.site();
    await isSentToSignIn(scene, '/guarded', { accept: 'text/html,application/xhtml+xml' });
    const page = await site.send('/guarded', { headers: { accept: 'application/json' } });
    isRefused(page, 'a client that accepts JSON only');
  }),

  rule('a visitor with a session sees the guarded page and uses the guarded API', async (scene) => {
    const site = await scene.site();
    const headers = { ...NAVIGATION, cookie: await sessionCookie() };
    const page = await site.send('/guarded', { headers });
    same(
      [page.status, page.text().includes('Guarded page of Ada')],
      [200, true],
      'status, and whether the page is shown',
    );
    const api = await site.send('/api/guarded', { headers: { cookie: headers.cookie } });
    same(api.json(), { user: 'Ada' }, 'the answer of the guarded API');
  }),

  rule('a guarded API answers 401 without a session, and does not redirect', async (scene) => {
    const page = await (await scene.site()).send('/api/guarded', { headers: { accept: 'application/json' } });
    isRefused(page, 'a request without a session');
  }),

  rule('a script that requests a guarded page gets 401', async (scene) => {
    const headers = { accept: '*/*', 'sec-fetch-mode': 'cors', 'sec-fetch-site': 'same-origin' };
    isRefused(await (await scene.site()).send('/guarded', { headers }), "a script's request for a page");
  }),

  rule(
    'a guard refuses POST with 401, also if a form is posted',
    async (scene) => {
      const site = await scene.site();
      const form = { ...NAVIGATION, 'content-type': 'application/x-www-form-urlencoded', origin: site.origin };
      isRefused(await site.send('/api/guarded', { method: 'POST', headers: form }), 'POST of a form');
      isRefused(await site.send('/api/guarded', { method: 'DELETE', headers: {} }), 'DELETE');
    },
    ['guardsAnyMethod'],
  ),

  rule('a guard treats HEAD as GET', async (scene) => {
    const site = await scene.site();
    await isSentToSignIn(scene, '/guarded', NAVIGATION, 'HEAD');
    const api = await site.send('/api/guarded', { method: 'HEAD' });
    same([api.status, api.text()], [401, ''], 'status and body of HEAD for the guarded API');
  }),

  rule(
    'a guarded page is not shown to a prefetch without a session, and the session is not renewed for it',
    async (scene) => {
      const site = await scene.site();
      for (const headers of [
        { ...NAVIGATION, 'sec-purpose': 'prefetch' },
        { accept: '*/*', purpose: 'prefetch', 'sec-fetch-mode': 'cors' },
      ]) {
        const page = await site.send('/guarded', { headers });
        isHidden(page, `a prefetch with ${JSON.stringify(headers)}`);
        same(sessionCookies(page).length, 0, 'number of session cookies');
      }
    },
  ),

  rule('no spelling of the path leads around the guard', async (scene) => {
    const site = await scene.site();
    for (const path of SPELLINGS) {
      for (const headers of [NAVIGATION, { accept: '*/*' }]) {
        const page = await site.send(path, { headers });
        isHidden(page, `the path ${path}`);
        check(page.status < 500, `status of ${path}: expected less than 500, got ${page.status}`);
      }
    }
  }),

  rule("the application's own sign-in page is open, although a guard is on it", async (scene) => {
    const site = await scene.site({ signInPage: '/guarded' });
    const page = await site.send('/guarded?error=SessionRequired', { headers: NAVIGATION });
    same(page.status, 200, 'status of the sign-in page');
    const other = await site.send('/guarded/inner', { headers: NAVIGATION });
    same(new URL(other.location ?? '/', site.origin).pathname, '/guarded', 'the path to which another page redirects');
  }),

  rule('of nested guards, one redirects, and both let a session pass', async (scene) => {
    const site = await scene.site();
    await isSentToSignIn(scene, '/guarded/inner?a=1');
    const headers = { ...NAVIGATION, cookie: await sessionCookie() };
    const page = await site.send('/guarded/inner', { headers });
    check(page.text().includes('Guarded page of Ada'), `the inner page must be shown, got ${page.status}`);
  }),

  rule(
    'a guard fails with an error, not with a redirect, if the configuration has a problem or the host is not trusted',
    async (scene) => {
      for (const setup of [{ problem: true }, { trustHost: false }]) {
        const site = await scene.site(setup);
        for (const path of ['/guarded', '/api/guarded']) {
          const page = await site.send(path, { headers: { ...NAVIGATION, cookie: await sessionCookie() } });
          isHidden(page, `a guard with ${JSON.stringify(setup)}`);
          check(
            page.status >= 400 && page.status !== 401,
            `status with ${JSON.stringify(setup)}: expected an error, got ${page.status}`,
          );
        }
      }
    },
    ['strictReads'],
  ),
];

/** Spellings that routers or servers may take for `/guarded`. */
const SPELLINGS = [
  ...['/guarded/', '//guarded', '/./guarded', '/x/../guarded', '/GUARDED', '/%67uarded', '/guarde%64', '/guarded%2f'],
  ...[
    '/guarded;x=1',
    '/guarded?callbackUrl=/auth/signin',
    '/guarded#/auth/signin',
    '/guarded/%69nner',
    '/api//guarded',
  ],
  ...['/api/%67uarded', '/auth/../guarded', '/auth/signin/../../guarded', '/\\guarded', '/api/guarded/'],
];

/** The sign-in page is the target, and `callbackUrl` is the path and query of the request. */
async function isSentToSignIn(scene: Scene, path: string, headers: object = NAVIGATION, method = 'GET'): Promise<void> {
  const site = await scene.site();
  const page = await site.send(path, { method, headers: { ...headers } });
  check([302, 303, 307].includes(page.status), `${method} ${path}: expected a redirect, got status ${page.status}`);
  const target = new URL(page.location ?? '', site.origin);
  same([target.origin, target.pathname], [site.origin, `${site.mount}/signin`], 'origin and path of the redirect');
  const isPath = scene.subject.features?.pathTargets !== false;
  same(target.searchParams.get('callbackUrl'), isPath ? path : site.origin + path, 'the parameter `callbackUrl`');
}

function isRefused(page: Page, what: string): void {
  same(page.status, 401, `status of ${what}`);
  isHidden(page, what);
}

function isHidden(page: Page, what: string): void {
  const text = page.text();
  check(!text.includes('Guarded page') && !text.includes('"user"'), `${what}: the guarded content is shown`);
}
