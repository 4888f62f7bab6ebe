import { check, same } from '../adapter-suite/expect.ts';
import type { BindingSetup } from '../binding-application.ts';
import type { Page } from '../browser.ts';
import { type BindingCase, rule } from './case.ts';
import type { Scene } from './scene.ts';
import { nameIn, SESSION, sessionCookie, sessionCookies, sessionOn } from './site.ts';

/** Each read finds the session due. */
const DUE = { updateAge: 0 } as const;

/** Renewal of the session cookie, and answers that are late. */
export const renewal: readonly BindingCase[] = [
  rule(
    'an answer that reads a due session renews its cookie once',
    async (scene) => {
      const cookie = await sessionCookie();
      const page = await readDue(scene, '/double', cookie);
      same(sessionCookies(page).length, 1, 'number of session cookies on the answer');
      const [renewed] = sessionCookies(page);
      check(`${SESSION}=${renewed?.value}` !== cookie, 'the renewed cookie must have a new token');
      const next = await (await scene.site(DUE)).send('/session', {
        headers: { cookie: `${SESSION}=${renewed?.value}` },
      });
      same(nameIn(sessionOn(next)), 'Ada', 'the name in the session of the renewed cookie');
    },
    ['renews'],
  ),

  rule('an answer that does not read the session does not renew it', async (scene) => {
    const page = await readDue(scene, '/nothing-here');
    same(page.status, 404, 'status of a path that the application does not have');
    same(sessionCookies(page).length, 0, 'number of session cookies on the answer');
  }),

  rule('an answer with a renewed cookie is private', async (scene) => isPrivate(await readDue(scene, '/session')), [
    'renews',
  ]),

  rule(
    'an answer that depends on a session is private, also if the session is not due',
    async (scene) => {
      const page = await (await scene.site()).send('/session', { headers: { cookie: await sessionCookie() } });
      same(nameIn(sessionOn(page)), 'Ada', 'the name in the session');
      isPrivate(page);
    },
    ['renews'],
  ),

  rule(
    'an answer that shared caches may store has no session cookie',
    async (scene) => {
      for (const value of ['public', 'public, max-age=60', 's-maxage=60', 'max-age=60', 'private="x-name"'])
        await isNotRenewed(scene, 'cache-control', value);
    },
    ['cacheHeaders'],
  ),

  rule(
    'an answer that a header for proxies lets them store has no session cookie',
    async (scene) => {
      for (const name of ['cdn-cache-control', 'surrogate-control']) await isNotRenewed(scene, name, 'max-age=60');
    },
    ['cacheHeaders'],
  ),

  rule(
    'a `Cache-Control` of the application that forbids shared caches stays, and the cookie is renewed',
    async (scene) => {
      for (const value of ['private, max-age=60', 'no-store']) {
        const page = await readDue(scene, `/cached?cache-control=${encodeURIComponent(value)}`);
        same(page.headers.get('cache-control'), value, 'the `Cache-Control` header');
        same(sessionCookies(page).length, 1, `number of session cookies beside \`Cache-Control: ${value}\``);
      }
    },
    ['cacheHeaders', 'renews'],
  ),

  rule(
    'a session that is read after the head was sent is not renewed',
    async (scene) => {
      const page = await readDue(scene, '/late');
      check(page.text().includes('Ada'), `the answer must show the session, got ${page.text().slice(0, 200)}`);
      same(sessionCookies(page).length, 0, 'number of session cookies on the answer');
    },
    ['streams', 'lateReads'],
  ),

  rule('a session cookie that the application clears itself is not renewed', async (scene) => {
    const page = await readDue(scene, `/own-cookies?clear=${SESSION}`);
    const values = page.setCookies.filter(({ name }) => name === SESSION).map(({ value }) => value);
    same(values.at(-1), '', `the value of the last \`${SESSION}\` on the answer`);
  }),

  rule(
    'a sign-out after the session was read is not undone by the renewal',
    async (scene) => {
      const { values, page } = await callWhenDue(scene, '/sign-out', { redirect: 'false' });
      same(values.at(-1), '', 'the value of the last session cookie on the answer');
      same(page.json<{ after: unknown }>().after, null, 'the session after the call');
    },
    ['serverCalls'],
  ),

  rule(
    'a change of the user after the session was read is not undone by the renewal',
    async (scene) => {
      const fields = { provider: 'credentials', name: 'Grace', password: 'password', redirect: 'false' };
      const { values } = await callWhenDue(scene, '/sign-in', fields);
      await isSessionOf(scene, 'Grace', values);
    },
    ['serverCalls'],
  ),

  rule(
    'an update after the session was read is not undone by the renewal',
    async (scene) => {
      const { values } = await callWhenDue(scene, '/update', { name: 'Augusta' });
      await isSessionOf(scene, 'Augusta', values);
    },
    ['serverCalls'],
  ),

  rule('a slow answer without a due session does not undo a sign-out in another tab', (scene) =>
    signOutMeanwhile(scene, {}),
  ),

  rule('a slow answer does not undo a sign-out in another tab, with database sessions', (scene) =>
    signOutMeanwhile(scene, { session: 'database', updateAge: 0 }),
  ),
];

async function readDue(scene: Scene, path: string, cookie?: string): Promise<Page> {
  const site = await scene.site(DUE);
  return site.send(path, { headers: { cookie: cookie ?? (await sessionCookie()) } });
}

function isPrivate(page: Page): void {
  const value = page.headers.get('cache-control') ?? 'no header';
  check(/\b(private|no-store)\b/.test(value), `\`Cache-Control\` must keep shared caches away, got: ${value}`);
}

async function isNotRenewed(scene: Scene, header: string, value: string): Promise<void> {
  const page = await readDue(scene, `/cached?${new URLSearchParams({ [header]: value })}`);
  same(page.headers.get(header), value, `the header \`${header}\` of the application`);
  same(sessionCookies(page).length, 0, `number of session cookies beside \`${header}: ${value}\``);
}

/** Calls a route that reads the due session, changes it and reads it again. */
async function callWhenDue(scene: Scene, path: string, fields: Record<string, string>) {
  const browser = (await scene.site(DUE)).visitor();
  browser.cookies.set(SESSION, (await sessionCookie()).slice(SESSION.length + 1));
  const page = await browser.post(path, fields);
  same(page.status, 200, `status of POST ${path}, which answered ${page.text().slice(0, 200)}`);
  same(nameIn(page.json<{ before: null }>().before), 'Ada', 'the name in the session before the call');
  return { page, values: page.setCookies.filter(({ name }) => name === SESSION).map(({ value }) => value) };
}

/** Of cookies with one name, browsers keep the last. */
async function isSessionOf(scene: Scene, name: string, values: readonly string[]): Promise<void> {
  const page = await readDue(scene, '/session', `${SESSION}=${values.at(-1)}`);
  same(nameIn(sessionOn(page)), name, 'the name in the session of the last cookie on the answer');
}

/** One tab waits for an answer that has read the session, while another tab signs out. */
async function signOutMeanwhile(scene: Scene, setup: BindingSetup): Promise<void> {
  const site = await scene.site(setup);
  const browser = await site.signedIn();
  const gate = await scene.gate();
  const slow = browser.get(`/session?wait=${gate.address}`);
  await Promise.race([gate.reached(), slow]);
  await browser.post(`${site.mount}/signout`, await site.csrf(browser));
  same(await site.session(browser), null, 'the session after the sign-out');
  gate.open();
  same(nameIn(sessionOn(await slow)), 'Ada', 'the name in the slow answer, which has read the session before');
  same(await site.session(browser), null, 'the session after the slow answer has arrived');
}
