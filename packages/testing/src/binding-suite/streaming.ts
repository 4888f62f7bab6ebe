import { setTimeout } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { check, same } from '../adapter-suite/expect.ts';
import { type BindingCase, rule } from './case.ts';
import { type Site, sessionCookie, sessionCookies } from './site.ts';

const DUE = { updateAge: 0 } as const;

/** Streamed, compressed and cached answers. */
export const streaming: readonly BindingCase[] = [
  rule(
    'a session that is read before the first byte renews its cookie, and the answer is still streamed',
    async (scene) => {
      const site = await scene.site(DUE);
      const gate = await scene.gate();
      const response = await site.stream(`/streamed?wait=${gate.address}`, {
        headers: { cookie: await sessionCookie() },
      });
      const reader = textOf(response);
      same(await firstOf(reader), 'start Ada\n', 'the first bytes, while the application waits');
      const lines = response.headers.getSetCookie().filter((line) => line.startsWith('authjs.session-token='));
      same(lines.length, 1, 'number of session cookies on the head');
      gate.open();
      let rest = '';
      for await (const text of reader) rest += text;
      check(rest.includes('end'), `the rest of the answer must arrive, got ${rest}`);
    },
    ['streams', 'renews'],
  ),

  rule(
    'a session can be read after the first byte',
    async (scene) => {
      const site = await scene.site();
      const gate = await scene.gate();
      const response = await site.stream(`/late?wait=${gate.address}`, { headers: { cookie: await sessionCookie() } });
      const reader = textOf(response);
      same(await firstOf(reader), 'start\n', 'the first bytes, while the application waits');
      gate.open();
      let rest = '';
      for await (const text of reader) rest += text;
      same(rest, 'Ada\n', 'the rest of the answer');
    },
    ['streams', 'lateReads'],
  ),

  rule(
    'a client that accepts compressed answers gets the same session and cookies',
    async (scene) => {
      const site = await scene.site(DUE);
      const headers = { cookie: await sessionCookie(), 'accept-encoding': 'gzip' };
      const response = await site.stream('/session', { headers });
      const content = Buffer.from(await response.arrayBuffer());
      const text = String(response.headers.get('content-encoding') === 'gzip' ? gunzipSync(content) : content);
      check(text.includes('"Ada"'), `the answer must show the session, got ${text.slice(0, 200)}`);
      const lines = response.headers.getSetCookie().filter((line) => line.startsWith('authjs.session-token='));
      same(lines.length, 1, 'number of session cookies');
    },
    ['renews'],
  ),

  rule(
    'an answer with status 304 that shared caches may store has no session cookie',
    async (scene) => {
      const site = await scene.site(DUE);
      const headers = { cookie: await sessionCookie(), 'if-none-match': '"contract"' };
      const page = await site.send('/cached?cache-control=public', { headers });
      same([page.status, page.text()], [304, ''], 'status and body');
      same(sessionCookies(page).length, 0, 'number of session cookies');
    },
    ['cacheHeaders'],
  ),

  rule(
    'a page that shared caches store is the same head for all visitors',
    async (scene) => {
      const site = await scene.site(DUE);
      const own = await site.send('/cached?cache-control=public', { headers: { cookie: await sessionCookie() } });
      const other = await site.send('/cached?cache-control=public');
      same(own.setCookies.length, other.setCookies.length, 'number of cookies for a visitor with a session');
      same(own.headers.get('cache-control'), 'public', 'the header `Cache-Control` for a visitor with a session');
    },
    ['cacheHeaders'],
  ),

  rule('a visitor who leaves before the head does not disturb the next', async (scene) => {
    const site = await scene.site(DUE);
    const gate = await scene.gate();
    const stop = new AbortController();
    const left = site.send(`/session?wait=${gate.address}`, {
      headers: { cookie: await sessionCookie() },
      signal: stop.signal,
    });
    await gate.reached();
    stop.abort();
    check(
      await left.then(
        () => false,
        () => true,
      ),
      'the answer came although the application was waiting',
    );
    gate.open();
    await isAlive(site);
  }),

  rule(
    'a visitor who leaves during a streamed answer does not disturb the next',
    async (scene) => {
      const site = await scene.site(DUE);
      const gate = await scene.gate();
      const response = await site.stream(`/streamed?wait=${gate.address}`, {
        headers: { cookie: await sessionCookie() },
      });
      await gate.reached();
      await response.body?.cancel();
      gate.open();
      await isAlive(site);
    },
    ['streams'],
  ),
];

async function* textOf(response: Response): AsyncGenerator<string, undefined> {
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) yield decoder.decode(chunk as Uint8Array, { stream: true });
  return undefined;
}

/** Returns the first bytes. A binding that collects the answer would send them only after the gate has opened. */
async function firstOf(reader: AsyncGenerator<string, undefined>): Promise<string | undefined> {
  const first = reader.next().then(({ value }) => value);
  return Promise.race([first, setTimeout(3000, undefined, { ref: false })]);
}

async function isAlive(site: Site): Promise<void> {
  for (let count = 0; count < 3; count++) {
    const page = await site.send('/session', { headers: { cookie: await sessionCookie('Grace') } });
    check(
      page.text().includes('"Grace"'),
      `the next visitor must see the own session, got ${page.status} ${page.text()}`,
    );
  }
}
