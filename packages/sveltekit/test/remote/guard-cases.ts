import type { Browser, Page } from '@latchkey/testing';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Scene } from '../app/src/scene.ts';
import { signedIn } from '../kit/journey.ts';
import { config, play } from '../kit/scene.ts';
import { type Kit, shown, startKit } from '../kit/server.ts';

let kit: Kit;
let folder: string;
let scene: Scene;

/**
 * Tests the guard of remote functions in the built test application. A file calls it once.
 *
 * @param app Returns the folder of the application. Its packages decide the version of Kit.
 */
export function remoteGuardTests(app: () => string): void {
  beforeAll(async () => {
    kit = await startKit(app());
    play(config());
    // Kit names a file of remote functions by a hash.
    const [, hash] = /\/remote=(\w+)\/rename/.exec((await kit.browser().get('/shop/orders')).text()) ?? [];
    folder = `/shop/_app/remote/${hash}`;
  });
  beforeEach(() => {
    // Each read renews the session where cookies can be set.
    scene = play(config({ session: { updateAge: 0 } }));
  });
  describe('without a session', withoutSession);
  describe('with a session', withSession);
  itFailsWithoutConfiguration();
  itFindsOpenFunctions();
}

const SESSION = 'authjs.session-token';

/** An argument as Kit's client writes it: in the format of the package `devalue`, in base64url. */
const payload = (text?: string): string =>
  text === undefined ? '' : Buffer.from(JSON.stringify([text])).toString('base64url');

const script = { mode: 'cors', headers: { 'x-sveltekit-pathname': '/shop/orders', 'x-sveltekit-search': '' } } as const;

function get(browser: Browser, name: string, text?: string): Promise<Page> {
  return browser.get(`${folder}/${name}?payload=${payload(text)}`, script);
}

function call(browser: Browser, name: string, body: object): Promise<Page> {
  return browser.post(`${folder}/${name}`, { ...body }, { ...script, json: true });
}

/** Submits a form as Kit's client does: a version, two lengths, and the fields with what they are for. */
function submit(browser: Browser, name: string, id: string, validate_only = false): Promise<Page> {
  const fields = JSON.stringify([[1, 3], { id: 2 }, id, { validate_only: 4 }, validate_only]);
  return browser.open(`${folder}/${name}`, {
    mode: 'cors',
    headers: { ...script.headers, 'content-type': 'application/x-sveltekit-formdata' },
    body: `\0${String.fromCharCode(fields.length)}\0\0\0\0\0${fields}`,
  });
}

/** Each kind of call. The forms are also those of a page without scripts. */
const calls: [name: string, call: (browser: Browser) => Promise<Page>][] = [
  ['a query without an argument', (browser) => get(browser, 'all')],
  ['a query without an argument that receives one', (browser) => get(browser, 'all', 'x')],
  ['a query with a schema', (browser) => get(browser, 'one', '7')],
  ['a query with a schema and an invalid argument', (browser) => get(browser, 'one', 'x')],
  ['an unchecked query', (browser) => get(browser, 'find', 'x')],
  ['a batch of queries', (browser) => call(browser, 'many', { payloads: [payload('7'), payload('8')] })],
  ['a command', (browser) => call(browser, 'cancel', { payload: payload('7') })],
  ['a command with an invalid argument', (browser) => call(browser, 'cancel', { payload: payload('x') })],
  ['a form', (browser) => submit(browser, 'rename', '7')],
  ['a form without a schema', (browser) => submit(browser, 'touch', '7')],
  ['an unchecked form', (browser) => submit(browser, 'upload', '7')],
  ['a form that is only validated', (browser) => submit(browser, 'rename', 'x', true)],
  ['an unchecked form that is only validated', (browser) => submit(browser, 'upload', 'x', true)],
  ['a form without a schema that is only validated', (browser) => submit(browser, 'touch', 'x', true)],
];

/** The status of a failed call. Kit 3 sends it in the error, Kit 2 beside it. */
function failure(page: Page): unknown {
  const { type, error, status } = page.json<{ type: string; error?: { status?: number }; status?: number }>();
  expect(type).toBe('error');
  return error?.status ?? status;
}

const data = (page: Page): unknown => page.json<{ data: unknown }>().data;

function withoutSession(): void {
  it.each(calls)('%s fails with 401, before the validation', async (_, call) => {
    const page = await call(kit.browser());
    expect(failure(page)).toBe(401);
    expect(scene.calls).toEqual([]);
  });

  it('a form of a page without scripts fails with 401', async () => {
    const browser = kit.browser();
    const form = browser.form(await browser.get('/shop/orders'), ({ id }) => id === 'rename');
    expect((await browser.submit(form)).status).toBe(401);
    expect(scene.calls).toEqual([]);
  });
}

function withSession(): void {
  it.each([
    ['all', (browser: Browser) => get(browser, 'all'), undefined],
    ['one', (browser: Browser) => get(browser, 'one', '7'), 7],
    ['find', (browser: Browser) => get(browser, 'find', 'x'), 'x'],
    ['cancel', (browser: Browser) => call(browser, 'cancel', { payload: payload('7') }), '7'],
    ['rename', (browser: Browser) => submit(browser, 'rename', '7'), '7'],
    ['touch', (browser: Browser) => submit(browser, 'touch', '7'), undefined],
    ['upload', (browser: Browser) => submit(browser, 'upload', '7'), '7'],
  ])('the handler of `%s` receives the session, and then its input', async (name, call, input) => {
    const page = await call(await signedIn(kit.browser()));
    expect(page.json()).toMatchObject({ type: 'result' });
    const values = JSON.stringify(data(page));
    expect(values).toContain('Ada');
    if (input !== undefined) expect(values).toContain(String(input));
    expect(scene.calls.at(-1)).toBe(name);
  });

  it('a batch calls its handler once', async () => {
    const page = await call(await signedIn(kit.browser()), 'many', { payloads: [payload('7'), payload('8')] });
    expect(data(page)).toMatch(/Ada.*7 of 2, index 0.*8 of 2, index 1/);
    expect(scene.calls.filter((each) => each === 'many')).toEqual(['many']);
  });

  it.each([
    ['a query', (browser: Browser) => get(browser, 'one', 'x')],
    ['a query without an argument', (browser: Browser) => get(browser, 'all', 'x')],
    ['a command', (browser: Browser) => call(browser, 'cancel', { payload: payload('x') })],
  ])('an invalid argument of %s fails with 400', async (_, call) => {
    const page = await call(await signedIn(kit.browser()));
    expect(failure(page)).toBe(400);
    expect(scene.calls.filter((each) => each !== 'validation')).toEqual([]);
  });

  it('a form reports what its schema finds, also if it is only validated', async () => {
    const browser = await signedIn(kit.browser());
    expect(data(await submit(browser, 'rename', 'x'))).toContain('must be a number');
    expect(data(await submit(browser, 'rename', 'x', true))).toContain('must be a number');
    expect(scene.calls).not.toContain('rename');
  });

  it('a form of a page without scripts works', async () => {
    const browser = await signedIn(kit.browser());
    const form = browser.form(await browser.get('/shop/orders'), ({ id }) => id === 'rename');
    expect(shown(await browser.submit(form))).toEqual({ visitor: 'Ada', input: '7' });
  });

  it.each([
    ['adminQuery', (browser: Browser) => get(browser, 'adminQuery')],
    ['adminCommand', (browser: Browser) => call(browser, 'adminCommand', { payload: payload('x') })],
    ['adminForm', (browser: Browser) => submit(browser, 'adminForm', '7')],
    ['adminForm, validated', (browser: Browser) => submit(browser, 'adminForm', '7', true)],
  ])('`authorize` refuses with 403: %s', async (_, call) => {
    const page = await call(await signedIn(kit.browser()));
    expect(failure(page)).toBe(403);
    expect(scene.calls).toEqual([]);
  });

  it('commands and forms renew the session', async () => {
    const browser = await signedIn(kit.browser());
    for (const page of [
      await call(browser, 'cancel', { payload: payload('7') }),
      await submit(browser, 'rename', '7'),
      await browser.submit(browser.form(await browser.get('/shop/orders'), ({ id }) => id === 'touch')),
    ]) {
      expect(page.cookie(SESSION)?.value).toMatch(/./);
      expect(page.headers.get('cache-control')).toBe('private, no-store');
    }
  });

  it('queries set no cookies', async () => {
    const browser = await signedIn(kit.browser());
    for (const page of [
      await get(browser, 'all'),
      await get(browser, 'one', '7'),
      await call(browser, 'many', { payloads: [payload('7')] }),
    ]) {
      expect(page.json()).toMatchObject({ type: 'result' });
      expect(page.setCookies).toEqual([]);
    }
  });

  it('a query that runs in the same request after a sign-out fails with 401', async () => {
    const browser = await signedIn(kit.browser());
    const page = await call(browser, 'leave', { payload: '' });
    expect(page.cookie(SESSION)?.value).toBe('');
    expect(data(page)).toContain('401');
    expect(scene.calls).toEqual(['leave']);
  });
}

function itFailsWithoutConfiguration(): void {
  it('a configuration with a problem is the error 500, and no handler runs', async () => {
    scene = play(config({ secret: '' }));
    expect(failure(await get(kit.browser(), 'all'))).toBe(500);
    expect(scene.calls).toEqual([]);
  });
}

function itFindsOpenFunctions(): void {
  it('`isGuarded` finds the function without a guard, and wrong definitions are refused', async () => {
    const message = "TypeError: A guarded remote function takes a Standard Schema or 'unchecked', and then its handler";
    expect((await kit.browser().get('/shop/orders/guards')).json()).toEqual({
      open: ['open'],
      wrong: Array(4).fill(message),
      others: [false, false, false],
    });
  });
}
