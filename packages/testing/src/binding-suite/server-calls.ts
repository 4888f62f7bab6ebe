import type { Session } from '@latchkey/core/types';
import { check, same } from '../adapter-suite/expect.ts';
import { BINDING_PASSWORD } from '../binding-application.ts';
import type { Browser, Page } from '../browser.ts';
import { type BindingCase, rule } from './case.ts';
import type { Scene } from './scene.ts';
import { clearsSession, nameIn, type Site, startsSession } from './site.ts';

/** The answer of a route that calls the binding. */
interface Called {
  readonly before: Session | null;
  readonly url: string;
  readonly updated: Session | null;
  readonly after: Session | null;
  readonly error?: string;
}

const ADA = { provider: 'credentials', name: 'Ada', password: BINDING_PASSWORD } as const;
const NEEDS = ['serverCalls'] as const;

/** `signIn`, `signOut` and `update` on the server. */
export const serverCalls: readonly BindingCase[] = [
  rule(
    '`signIn` with `redirect: false` returns the address, and the session is visible in the same request',
    async (scene) => {
      const site = await scene.site();
      const browser = site.visitor();
      const page = await call(browser, '/sign-in', { ...ADA, redirect: 'false', redirectTo: '/session' });
      same([page.before, nameIn(page.after)], [null, 'Ada'], 'the session before the call, and the name after it');
      same(new URL(page.url, site.origin).href, `${site.origin}/session`, 'the address');
      same(nameIn(await site.session(browser)), 'Ada', 'the name in the session of the next request');
    },
    NEEDS,
  ),

  rule(
    '`signIn` redirects to `redirectTo` with the session cookie',
    async (scene) => {
      const site = await scene.site();
      const page = await site.visitor().post('/sign-in', { ...ADA, redirectTo: '/double?a=1' });
      redirectsTo(page, `${site.origin}/double?a=1`);
      check(startsSession(page), 'the redirect must set the session cookie');
    },
    NEEDS,
  ),

  rule(
    '`signIn` with a wrong password rejects with `CredentialsSignin`, and starts no session',
    async (scene) => {
      for (const redirect of ['false', 'true']) {
        const fields = { ...ADA, password: 'wrong', redirect };
        const page = await (await scene.site()).visitor().post('/sign-in', fields);
        same(
          [page.status, page.text()],
          [400, '{"error":"CredentialsSignin"}'],
          `the answer with redirect: ${redirect}`,
        );
        check(!startsSession(page), 'a wrong password must not start a session');
      }
    },
    NEEDS,
  ),

  rule(
    '`signIn` without a provider leads to the sign-in page',
    async (scene) => {
      const site = await scene.site();
      const { url } = await call(site.visitor(), '/sign-in', { redirect: 'false', redirectTo: '/double' });
      const target = new URL(url, site.origin);
      same([target.origin, target.pathname], [site.origin, `${site.mount}/signin`], 'origin and path of the address');
      check(
        target.searchParams.get('callbackUrl')?.endsWith('/double') === true,
        `the address must keep the target: ${url}`,
      );
    },
    NEEDS,
  ),

  rule(
    '`signIn` at a provider leads there, and the sign-in can be finished in the same browser',
    async (scene) => {
      const { provider } = await scene.helper();
      const site = await scene.site({ issuer: provider.issuer });
      const browser = site.visitor();
      const started = await browser.post('/sign-in', { provider: 'fake', redirectTo: '/double' });
      same(started.redirect?.href.split('?')[0], provider.endpoints.authorization, 'the address of the redirect');
      const back = await provider.authorize(started.redirect ?? '');
      const page = await browser.get(back, { site: 'cross-site' });
      redirectsTo(page, `${site.origin}/double`);
      check(startsSession(page), 'the callback must set the session cookie');
    },
    NEEDS,
  ),

  rule(
    '`signOut` with `redirect: false` ends the session in the browser, also for the rest of the request',
    async (scene) => {
      const site = await scene.site();
      const browser = await site.signedIn();
      const page = await browser.post('/sign-out', { redirect: 'false' });
      const { before, after } = page.json<Called>();
      same([nameIn(before), after], ['Ada', null], 'the name before the call, and the session after it');
      check(clearsSession(page), 'the answer must clear the session cookie');
      same(await site.session(browser), null, 'the session of the next request');
    },
    NEEDS,
  ),

  rule(
    '`signOut` redirects to `redirectTo`, and ends the session in the store',
    async (scene) => {
      const site = await scene.site({ session: 'database' });
      const browser = await site.signedIn();
      const copy = browser.clone();
      redirectsTo(await browser.post('/sign-out', { redirectTo: '/double' }), `${site.origin}/double`);
      same(await site.session(copy), null, 'the session of a copied cookie after the sign-out');
    },
    NEEDS,
  ),

  rule(
    '`update` returns the new session, which is visible in the same request and the next',
    async (scene) => {
      const site = await scene.site();
      const browser = await site.signedIn();
      const page = await call(browser, '/update', { name: 'Augusta' });
      const names = [page.before, page.updated, page.after].map(nameIn);
      same(names, ['Ada', 'Augusta', 'Augusta'], 'the names before the call, in its result, and after it');
      same(nameIn(await site.session(browser)), 'Augusta', 'the name in the session of the next request');
    },
    NEEDS,
  ),

  rule(
    'a call after the head was sent rejects with `CookiesNotWritable`, before it has any effect',
    async (scene) => {
      const site = await scene.site({ session: 'database' });
      const browser = await site.signedIn();
      const page = await browser.get('/late?call=sign-out');
      same(page.text(), 'start\nAda\nCookiesNotWritable\n', 'the answer');
      same(nameIn(await site.session(browser)), 'Ada', 'the name in the session afterwards');
    },
    [...NEEDS, 'streams', 'lateReads', 'lateCalls'],
  ),

  rule('`redirectTo` does not lead to another site', (scene) => staysOnSite(scene), NEEDS),
];

async function call(browser: Browser, path: string, fields: Readonly<Record<string, string>>): Promise<Called> {
  const page = await browser.post(path, fields);
  same(page.status, 200, `status of POST ${path}, which answered ${page.text().slice(0, 200)}`);
  return page.json<Called>();
}

function redirectsTo(page: Page, address: string): void {
  check([302, 303, 307].includes(page.status), `expected a redirect, got ${page.status} ${page.text().slice(0, 200)}`);
  same(page.redirect?.href, address, 'the address of the redirect');
}

async function staysOnSite(scene: Scene): Promise<void> {
  const site: Site = await scene.site();
  for (const redirectTo of ['https://evil.example/', '//evil.example', '/\\evil.example']) {
    const { url } = await call(site.visitor(), '/sign-in', { ...ADA, redirect: 'false', redirectTo });
    same(new URL(url, site.origin).origin, site.origin, `the origin to which ${redirectTo} leads`);
    const browser = await site.signedIn();
    const out = await call(browser, '/sign-out', { redirect: 'false', redirectTo });
    same(new URL(out.url, site.origin).origin, site.origin, `the origin to which a sign-out with ${redirectTo} leads`);
  }
}
