import { check, same } from '../adapter-suite/expect.ts';
import { BINDING_PASSWORD, type BindingSetup } from '../binding-application.ts';
import type { Page } from '../browser.ts';
import { type BindingCase, rule } from './case.ts';
import type { Scene } from './scene.ts';
import { cookiesOf, isSessionCookie, nameIn, type Site, sessionCookie, startsSession } from './site.ts';

const ADA = { name: 'Ada', password: BINDING_PASSWORD } as const;
const FORM = 'application/x-www-form-urlencoded';

/** Bodies and methods of requests. */
export const bodies: readonly BindingCase[] = [
  rule('an action reads a form', (scene) => signsIn(scene, {}, false)),

  rule('an action reads JSON, and answers with the address if the script asks for it', (scene) =>
    signsIn(scene, {}, true),
  ),

  rule('a form in several pieces is read whole', async (scene) => {
    const site = await scene.site();
    const browser = site.visitor();
    const text = new URLSearchParams({ ...ADA, ...(await site.csrf(browser)) }).toString();
    async function* pieces() {
      for (const piece of text.match(/.{1,7}/gs) ?? []) yield new TextEncoder().encode(piece);
    }
    const page = await post(site, pieces(), { 'content-type': FORM, cookie: cookiesOf(browser) });
    check(startsSession(page), `a form that is sent in pieces must sign in, got ${page.status} ${page.location}`);
  }),

  rule(
    'a form that a parser of the framework has read before signs in',
    (scene) => signsIn(scene, { parseBodies: true }, false),
    ['parseBodies'],
  ),

  rule(
    'JSON that a parser of the framework has read before signs in',
    (scene) => signsIn(scene, { parseBodies: true }, true),
    ['parseBodies'],
  ),

  rule('a body of another media type has no fields, and starts no session', async (scene) => {
    const site = await scene.site();
    const browser = site.visitor();
    const { csrfToken } = await site.csrf(browser);
    for (const type of ['text/plain', 'application/xml']) {
      const body = bytes(`csrfToken=${csrfToken}&name=Ada&password=${BINDING_PASSWORD}`);
      const page = await post(site, body, { 'content-type': type, cookie: cookiesOf(browser) });
      check(
        !startsSession(page) && page.status < 500,
        `a body of ${type}: status ${page.status}, signed in: ${startsSession(page)}`,
      );
    }
  }),

  rule('a body that is too large is refused with 413, or cut off', async (scene) => {
    const site = await scene.site();
    const outcome = await outcomeOf(post(site, bytes(`name=${'x'.repeat(2_000_000)}`), { 'content-type': FORM }));
    check(outcome === 413 || outcome === 'cut off', `expected status 413 or a closed connection, got ${outcome}`);
    same((await site.send('/session')).status, 200, 'status of the next request');
  }),

  rule('a body without an end is refused with 413, or cut off', async (scene) => {
    const site = await scene.site();
    const stop = new AbortController();
    let sent = 0;
    async function* endless() {
      for (
        const chunk = new Uint8Array(65_536).fill(120);
        !stop.signal.aborted && sent < MOST;
        sent += chunk.byteLength
      )
        yield chunk;
    }
    const outcome = await outcomeOf(post(site, endless(), { 'content-type': FORM }, stop.signal));
    stop.abort();
    check(outcome === 413 || outcome === 'cut off', `expected status 413 or a closed connection, got ${outcome}`);
    check(sent < MOST, `the binding has read ${sent} bytes, and would have read more`);
    same((await site.send('/session')).status, 200, 'status of the next request');
  }),

  rule('a body that is not of its media type is refused with a status of 4xx', async (scene) => {
    const site = await scene.site();
    const browser = site.visitor();
    await site.csrf(browser);
    for (const text of ['{"name":', '[]', 'null', '"text"']) {
      const page = await post(site, bytes(text), { 'content-type': 'application/json', cookie: cookiesOf(browser) });
      check(
        !startsSession(page) && page.status >= 300 && page.status < 500,
        `status of the JSON ${text}: got ${page.status}`,
      );
    }
  }),

  rule('HEAD of a route answers as GET without a body, and HEAD of an action has no effect', async (scene) => {
    const site = await scene.site();
    const headers = { cookie: await sessionCookie() };
    const page = await site.send('/session', { method: 'HEAD', headers });
    same([page.status, page.text()], [200, ''], 'status and body of HEAD for a route that reads the session');
    for (const action of ['session', 'signout', 'callback/credentials']) {
      const head = await site.send(`${site.mount}/${action}`, { method: 'HEAD', headers });
      check(head.status < 500, `status of HEAD ${action}: got ${head.status}`);
      same(head.text(), '', `the body of HEAD ${action}`);
      same(
        head.setCookies.filter(({ name, value }) => isSessionCookie(name) && value === '').length,
        0,
        'cleared cookies',
      );
    }
  }),

  rule('OPTIONS has no effect, beside the headers of the application', async (scene) => {
    const site = await scene.site();
    const headers = {
      cookie: await sessionCookie(),
      origin: 'https://evil.example',
      'access-control-request-method': 'POST',
    };
    for (const action of ['session', 'signout', 'callback/credentials']) {
      const page = await site.send(`${site.mount}/${action}`, { method: 'OPTIONS', headers });
      check(page.status < 500, `status of OPTIONS ${action}: got ${page.status}`);
      same(page.headers.get('access-control-allow-origin'), null, 'the header `Access-Control-Allow-Origin`');
      same(page.setCookies.filter(({ name }) => isSessionCookie(name)).length, 0, 'number of session cookies');
    }
  }),

  rule('other methods are refused with a status of 4xx, and keep the session', async (scene) => {
    const site = await scene.site();
    const browser = await site.signedIn();
    for (const method of ['PUT', 'DELETE', 'PATCH']) {
      const page = await browser.open(`${site.mount}/signout`, { method, mode: 'cors' });
      check(page.status >= 400 && page.status < 500, `status of ${method}: expected 4xx, got ${page.status}`);
    }
    same(nameIn(await site.session(browser)), 'Ada', 'the name in the session afterwards');
  }),
];

/** Bytes after which the suite does not send more: four hundred times what the fields of a form may have. */
const MOST = 100 * 1024 * 1024;

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

function post(
  site: Site,
  body: Uint8Array | AsyncIterable<Uint8Array>,
  headers: Record<string, string>,
  signal?: AbortSignal,
) {
  const own = { origin: site.origin, ...headers };
  return site.send(`${site.mount}/callback/credentials`, { method: 'POST', body, headers: own, signal });
}

/** Returns the status of an answer. Servers may close the connection while the client is still sending. */
function outcomeOf(answer: Promise<Page>): Promise<number | 'cut off'> {
  return answer.then(
    ({ status }) => status,
    () => 'cut off',
  );
}

async function signsIn(scene: Scene, setup: BindingSetup, json: boolean): Promise<void> {
  const site = await scene.site(setup);
  const browser = site.visitor();
  const page = await site.enter(browser, ADA, json ? { json, headers: { 'x-auth-return-redirect': '1' } } : {});
  check(
    startsSession(page),
    `the sign-in failed with status ${page.status} ${page.location ?? page.text().slice(0, 200)}`,
  );
  if (json) check(page.json<{ url: string }>().url.startsWith(site.origin), `expected an address, got ${page.text()}`);
  same(nameIn(await site.session(browser)), 'Ada', 'the name in the session');
}
