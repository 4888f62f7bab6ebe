import { check, same } from '../adapter-suite/expect.ts';
import { BINDING_PASSWORD } from '../binding-application.ts';
import type { Page } from '../browser.ts';
import { type BindingCase, rule } from './case.ts';
import { isSessionCookie, nameIn, SESSION, sessionCookie, sessionCookies, startsSession } from './site.ts';

/** A name that makes the session larger than one cookie. */
const LONG_NAME = 'Ada'.repeat(2000);

/** `Set-Cookie` lines. */
export const cookies: readonly BindingCase[] = [
  rule('each cookie of a sign-in has a `Set-Cookie` line of its own', async (scene) => {
    const site = await scene.site();
    const page = await site.enter(site.visitor(), { name: 'Ada', password: BINDING_PASSWORD });
    check(page.setCookies.length >= 2, `a sign-in sets several cookies, got ${page.setCookies.length}`);
    eachOnOneLine(page);
  }),

  rule(
    'a renewed session cookie is beside the cookies of the application',
    async (scene) => {
      const site = await scene.site({ updateAge: 0 });
      const page = await site.send('/own-cookies', { headers: { cookie: await sessionCookie() } });
      const names = page.setCookies.map(({ name }) => name).sort();
      same(names, [SESSION, 'lang', 'theme'], 'the names of the cookies');
      eachOnOneLine(page);
    },
    ['renews'],
  ),

  rule(
    'the answers of actions keep the cookies and headers that earlier middleware has set',
    async (scene) => {
      const site = await scene.site();
      const page = await site.send(`${site.mount}/csrf`, { headers: { 'x-visit': '1' } });
      same(page.headers.get('x-application'), 'contract', 'the header of the middleware');
      check(page.cookie('visited') !== undefined, 'the cookie of the middleware is lost');
      check(
        page.setCookies.some(({ name }) => name.includes('authjs.csrf-token')),
        "the action's own cookie is lost",
      );
      eachOnOneLine(page);
    },
    ['middleware'],
  ),

  rule('the session cookie is `HttpOnly`, `SameSite=Lax` and for all paths', async (scene) => {
    const site = await scene.site();
    const [cookie] = sessionCookies(await site.enter(site.visitor(), { name: 'Ada', password: BINDING_PASSWORD }));
    const { httpOnly, sameSite, path, domain, secure } = cookie ?? {};
    same(
      { httpOnly, sameSite, path, domain, secure },
      { httpOnly: true, sameSite: 'Lax', path: '/', domain: undefined, secure: false },
      'attributes',
    );
    const expires = cookie?.expires?.getTime() ?? 0;
    check(expires > Date.now() || (cookie?.maxAge ?? 0) > 0, `the cookie must have an expiry, got ${cookie?.line}`);
  }),

  rule('over https the cookies are `Secure` and have the prefixes `__Secure-` and `__Host-`', async (scene) => {
    const site = await scene.site({ env: { AUTH_URL: 'https://app.example' } });
    const browser = await site.signedIn('Ada', { origin: 'https://app.example' });
    const own = browser.cookies.all().filter(({ name }) => name.includes('authjs.') && !name.includes('revision'));
    for (const { name, secure } of own) {
      check(/^__(Secure|Host)-/.test(name) && secure, `the cookie ${name} must have a prefix and the attribute Secure`);
    }
    same(browser.rejected.length, 0, 'number of cookies that the browser refuses');
    same(nameIn(await site.session(browser)), 'Ada', 'the name in the session');
  }),

  rule('a large session is set in chunks, and read again', async (scene) => {
    const site = await scene.site();
    const browser = await site.signedIn(LONG_NAME);
    const names = browser.cookies.all().map(({ name }) => name);
    check(names.includes(`${SESSION}.0`) && names.includes(`${SESSION}.1`), `expected chunks, got ${names}`);
    same(browser.rejected.length, 0, 'number of cookies that the browser refuses');
    same(nameIn(await site.session(browser))?.length, LONG_NAME.length, 'length of the name in the session');
  }),

  rule('a smaller session removes the chunks of a larger one', async (scene) => {
    const site = await scene.site();
    const browser = await site.signedIn(LONG_NAME);
    const page = await site.enter(browser, { name: 'Ada', password: BINDING_PASSWORD });
    check(startsSession(page), `the second sign-in failed with status ${page.status}`);
    const names = browser.cookies.all().flatMap(({ name }) => (isSessionCookie(name) ? [name] : []));
    same(names, [SESSION], 'the session cookies in the browser');
    same(nameIn(await site.session(browser)), 'Ada', 'the name in the session');
  }),

  rule('a sign-out removes the session cookie and all chunks', async (scene) => {
    const site = await scene.site();
    for (const name of ['Ada', LONG_NAME]) {
      const browser = await site.signedIn(name);
      await browser.post(`${site.mount}/signout`, await site.csrf(browser));
      const names = browser.cookies.all().flatMap((cookie) => (isSessionCookie(cookie.name) ? [cookie.name] : []));
      same(names, [], 'the session cookies in the browser');
    }
  }),

  rule(
    'sign-in and sign-out change the cookie `authjs.revision`, which scripts can read',
    async (scene) => {
      const site = await scene.site();
      const browser = await site.signedIn();
      const first = browser.cookies.get('authjs.revision');
      same(first?.httpOnly, false, 'whether scripts are kept from the cookie `authjs.revision`');
      await browser.post(`${site.mount}/signout`, await site.csrf(browser));
      const second = browser.cookies.get('authjs.revision');
      check(second !== undefined && second.value !== first?.value, 'the sign-out must change `authjs.revision`');
    },
    ['client'],
  ),
];

/** A line with two cookies has `Path` twice. */
function eachOnOneLine({ setCookies }: Page): void {
  for (const { line } of setCookies) {
    check(
      (line.match(/;\s*path=/gi) ?? []).length <= 1,
      `a \`Set-Cookie\` line has several cookies: ${line.slice(0, 200)}`,
    );
  }
}
