import { check, same } from '../adapter-suite/expect.ts';
import type { Page } from '../browser.ts';
import { type BindingCase, rule } from './case.ts';
import { nameIn, SESSION, sessionCookie, sessionOn } from './site.ts';

/** Errors, and the isolation of visitors. */
export const errors: readonly BindingCase[] = [
  rule(
    'an error of the application after the session was read has status 500, and its message is hidden',
    async (scene) => {
      const page = await (await scene.site()).send('/error', { headers: { cookie: await sessionCookie() } });
      same(page.status, 500, 'status');
      isSilent(page);
    },
  ),

  rule(
    "an error of the application reaches the framework's error handler",
    async (scene) => {
      const page = await (await scene.site()).send('/error', { headers: { cookie: await sessionCookie() } });
      same(page.headers.get('x-error-handler'), 'application', 'the header of the error handler');
    },
    ['errorHandler'],
  ),

  rule('with a problem in the configuration, actions answer 500 and do not name it', async (scene) => {
    const site = await scene.site({ problem: true });
    for (const action of ['session', 'providers', 'csrf']) {
      const page = await site.send(`${site.mount}/${action}`);
      same(page.status, 500, `status of the action "${action}"`);
      isSilent(page);
    }
  }),

  rule(
    'with a problem in the configuration, `auth()` rejects: a visitor is not taken for one without a session',
    async (scene) => {
      const page = await (await scene.site({ problem: true })).send('/session');
      check(page.status >= 500, `expected an error, got status ${page.status} ${page.text().slice(0, 200)}`);
      isSilent(page);
    },
    ['strictReads'],
  ),

  rule(
    'a host that is not trusted is refused by actions and by `auth()`',
    async (scene) => {
      const site = await scene.site({ trustHost: false });
      const headers = { cookie: await sessionCookie() };
      for (const path of [`${site.mount}/session`, '/session']) {
        const page = await site.send(path, { headers });
        check(page.status >= 400, `${path}: expected an error, got status ${page.status} ${page.text().slice(0, 200)}`);
        isSilent(page);
      }
    },
    ['strictReads'],
  ),

  rule('the message of a failing callback is hidden', async (scene) => {
    const site = await scene.site();
    const headers = { cookie: await sessionCookie('Broken') };
    for (const path of [`${site.mount}/session`, '/session', '/guarded', '/api/guarded']) {
      const page = await site.send(path, { headers });
      isSilent(page);
      check(!page.text().includes('Broken'), `${path} shows the session although \`callbacks.session\` throws`);
    }
  }),

  rule('malformed cookies give no session and no error', async (scene) => {
    const site = await scene.site();
    for (const cookie of [
      `${SESSION}=%E0%A4%A`,
      '=;;=',
      `${SESSION}`,
      `x=${'y'.repeat(6000)}`,
      `${SESSION}.0=a; ${SESSION}.7=b`,
    ]) {
      same(
        sessionOn(await site.send('/session', { headers: { cookie } })),
        null,
        `the session of "${cookie.slice(0, 40)}"`,
      );
    }
  }),

  rule(
    'malformed paths below the base path are refused with a status of 4xx',
    async (scene) => {
      const site = await scene.site();
      for (const path of ['%E0%A4%A', 'callback/%00', 'signin/%2e%2e%2f', '%', 'session%00']) {
        const page = await site.send(`${site.mount}/${path}`);
        check(page.status >= 300 && page.status < 500, `status of ${path}: expected 4xx, got ${page.status}`);
        isSilent(page);
      }
      same((await site.send('/session')).status, 200, 'status of the next request');
    },
    ['malformedPaths'],
  ),

  rule('200 interleaved requests of two visitors show each visitor the own session', async (scene) => {
    const site = await scene.site({ updateAge: 0 });
    const cookies = { Ada: await sessionCookie('Ada'), Grace: await sessionCookie('Grace') };
    const names = Array.from({ length: 200 }, (_, index) => (index % 2 ? 'Ada' : 'Grace'));
    await inTurns(names, async (name, index) => {
      const path = ['/session', '/double', '/own-cookies', '/guarded'][index % 4] ?? '';
      const headers = { accept: 'text/html', cookie: cookies[name] };
      const page = await site.send(path, { headers });
      const other = name === 'Ada' ? 'Grace' : 'Ada';
      same(
        [page.text().includes(name), page.text().includes(other)],
        [true, false],
        `${name} on ${path}: own name, other name`,
      );
    });
  }),

  rule('20 visitors who sign in at once get their own sessions', async (scene) => {
    const site = await scene.site();
    const names = Array.from({ length: 20 }, (_, index) => `Visitor ${index}`);
    const entered = async (name: string): Promise<string | null> =>
      nameIn(await site.session(await site.signedIn(name)));
    same(await Promise.all(names.map(entered)), names, 'the names in the sessions');
  }),
];

/** Works on all items, twenty at a time. */
async function inTurns<T>(items: readonly T[], work: (item: T, index: number) => Promise<void>): Promise<void> {
  for (let start = 0; start < items.length; start += 20)
    await Promise.all(items.slice(start, start + 20).map((item, index) => work(item, start + index)));
}

/** The answer does not show messages of errors, stacks, or the names of settings. */
function isSilent(page: Page): void {
  const text = page.text();
  const shown = /a secret detail|node_modules|MissingSecret|UntrustedHost|AUTH_SECRET|at \w+ \(/.exec(text)?.[0];
  check(shown === undefined, `${page.url} shows "${shown}" to the visitor`);
}
