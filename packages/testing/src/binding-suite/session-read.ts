import { check, same } from '../adapter-suite/expect.ts';
import { type BindingCase, rule } from './case.ts';
import { clearsSession, nameIn, SESSION, sessionCookie, sessionCookies, sessionOn, sessionToken } from './site.ts';

/** Reading the session. */
export const sessionRead: readonly BindingCase[] = [
  rule('`auth()` returns null without a session cookie', async (scene) => {
    const page = await (await scene.site()).send('/session');
    same(sessionOn(page), null, 'the session of a visitor without cookies');
    same(page.setCookies.length, 0, 'number of cookies set for a visitor without cookies');
  }),

  rule('`auth()` returns the session of a visitor who has signed in', async (scene) => {
    const site = await scene.site();
    const session = await site.session(await site.signedIn('Grace'));
    same(nameIn(session), 'Grace', 'the name in the session');
    check(
      Date.parse(session?.expires ?? '') > Date.now(),
      `\`expires\` must be in the future, got ${session?.expires}`,
    );
  }),

  rule('`auth()` returns the session of a store, with database sessions', async (scene) => {
    const site = await scene.site({ session: 'database' });
    const browser = await site.signedIn('Grace');
    same(nameIn(await site.session(browser)), 'Grace', 'the name in the session');
    browser.cookies.set(SESSION, 'not-in-the-store');
    same(await site.session(browser), null, 'the session of a token that the store does not have');
  }),

  rule('`auth()` returns null for an expired token', async (scene) => {
    const cookie = `${SESSION}=${await sessionToken({ name: 'Ada' }, { maxAge: -3600 })}`;
    const page = await (await scene.site()).send('/session', { headers: { cookie } });
    same(sessionOn(page), null, 'the session of a token that expired an hour ago');
  }),

  rule('`auth()` returns null for a token that cannot be decrypted', async (scene) => {
    const forged = await sessionToken({ name: 'Ada' }, { secret: 'another secret of more than thirty-two characters' });
    const site = await scene.site();
    for (const value of [forged, 'not-a-token', '']) {
      const page = await site.send('/session', { headers: { cookie: `${SESSION}=${value}` } });
      same(sessionOn(page), null, `the session of the token "${value.slice(0, 20)}"`);
    }
  }),

  rule('`auth()` joins the chunks of a large token', async (scene) => {
    const value = await sessionToken({ name: 'Ada', large: 'x'.repeat(5000) });
    const chunks = [value.slice(0, 3500), value.slice(3500)].map((chunk, index) => `${SESSION}.${index}=${chunk}`);
    const site = await scene.site();
    const whole = await site.send('/session', { headers: { cookie: chunks.join('; ') } });
    same(nameIn(sessionOn(whole)), 'Ada', 'the name in a session of two chunks');
    const half = await site.send('/session', { headers: { cookie: chunks[0] ?? '' } });
    same(sessionOn(half), null, 'the session if the second chunk is missing');
  }),

  rule(
    '`auth()` reads the session once per request',
    async (scene) => {
      const page = await (await scene.site()).send('/double', { headers: { cookie: await sessionCookie() } });
      const [first, second] = page.json<{ call: string }[]>();
      check(first !== null && second !== null, `expected two sessions, got ${page.text().slice(0, 200)}`);
      same(second?.call, first?.call, '`callbacks.session` was called again in the same request: its value');
    },
    ['readsOnce'],
  ),

  rule('each caller of `auth()` gets an own copy', async (scene) => {
    const page = await (await scene.site()).send('/double', { headers: { cookie: await sessionCookie() } });
    const [first, second] = page.json<{ user: { name: string } }[]>();
    same(first?.user.name, 'Changed', 'the first copy, which the application has changed');
    same(second?.user.name, 'Ada', 'the second copy, which must not have the change');
  }),

  rule('`auth()` returns null and keeps the cookie if a callback throws', async (scene) => {
    const page = await (await scene.site()).send('/session', { headers: { cookie: await sessionCookie('Broken') } });
    same(sessionOn(page), null, 'the session if `callbacks.session` throws');
    check(!clearsSession(page), 'a failure must not clear the session cookie, but the answer clears it');
  }),

  rule('a session that is not due is not renewed', async (scene) => {
    const page = await (await scene.site()).send('/session', { headers: { cookie: await sessionCookie() } });
    same(nameIn(sessionOn(page)), 'Ada', 'the name in the session');
    same(sessionCookies(page).length, 0, 'number of session cookies on the answer');
  }),
];
