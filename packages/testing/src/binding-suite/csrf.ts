import { check, same } from '../adapter-suite/expect.ts';
import { BINDING_PASSWORD } from '../binding-application.ts';
import type { OpenOptions, Page } from '../browser.ts';
import { type BindingCase, rule } from './case.ts';
import type { Scene } from './scene.ts';
import { cookiesOf, nameIn, startsSession } from './site.ts';

const ADA = { name: 'Ada', password: BINDING_PASSWORD } as const;
const ELSEWHERE = { site: 'cross-site', initiator: 'https://evil.example' } as const;
/** A sandboxed frame, or a page of a `data:` address. */
const OPAQUE = { initiator: 'null' } as const;
const SIBLING = { site: 'same-site' } as const;

/** Forms of other sites. */
export const csrf: readonly BindingCase[] = [
  rule('a sign-in form without the token is refused', (scene) => refusesForm(scene, {}), ['csrfTokens']),

  rule(
    'a sign-in form with the token of another browser is refused',
    async (scene) => {
      const site = await scene.site();
      await refusesForm(scene, await site.csrf(site.visitor()));
    },
    ['csrfTokens'],
  ),

  rule(
    'a sign-out form without the token keeps the session',
    async (scene) => {
      const site = await scene.site();
      const browser = await site.signedIn();
      await browser.post(`${site.mount}/signout`, {});
      same(nameIn(await site.session(browser)), 'Ada', 'the name in the session afterwards');
    },
    ['csrfTokens'],
  ),

  rule('a form of the site itself is accepted', async (scene) => {
    const site = await scene.site();
    const page = await site.enter(site.visitor(), ADA, { site: 'same-origin' });
    check(startsSession(page), `the sign-in failed with status ${page.status}`);
  }),

  rule('a form of another site is refused, although it has a valid token', (scene) => refusesFrom(scene, ELSEWHERE)),

  rule('a form with `Origin: null` is refused, although it has a valid token', (scene) => refusesFrom(scene, OPAQUE)),

  rule('a form of another origin is refused, if the browser does not send `Sec-Fetch-Site`', (scene) =>
    refusesFrom(scene, { headers: { origin: 'https://evil.example', 'sec-fetch-site': '', 'sec-fetch-mode': '' } }),
  ),

  rule('a form of a sibling domain without the token is refused', async (scene) => {
    const site = await scene.site();
    const browser = site.visitor();
    await site.csrf(browser);
    const page = await browser.post(`${site.mount}/callback/credentials`, ADA, SIBLING);
    isRefused(page, 'a sign-in form of a sibling domain');
  }),

  rule(
    'a server-side call is refused for forms of other sites, of sibling domains and with `Origin: null`',
    async (scene) => {
      const site = await scene.site();
      for (const from of [ELSEWHERE, SIBLING, OPAQUE]) {
        const page = await site
          .visitor()
          .post('/sign-in', { provider: 'credentials', ...ADA, redirect: 'false' }, from);
        isRefused(page, `a form from ${JSON.stringify(from)}`);
      }
    },
    ['serverCalls'],
  ),

  rule(
    'a server-side call does not end or change the session for forms of other sites',
    async (scene) => {
      const site = await scene.site();
      const browser = await site.signedIn();
      // Some browsers send cookies with `SameSite=Lax` nevertheless, for two minutes after they were set.
      const headers = { cookie: cookiesOf(browser) };
      for (const path of ['/sign-out', '/update']) {
        await browser.post(path, { name: 'Mallory', redirect: 'false' }, { ...ELSEWHERE, headers });
        same(nameIn(await site.session(browser)), 'Ada', `the name in the session after POST ${path} of another site`);
      }
    },
    ['serverCalls'],
  ),

  rule("the provider's form (`response_mode=form_post`) is accepted from the provider's site", async (scene) => {
    const { provider } = await scene.helper();
    const site = await scene.site({ issuer: provider.issuer });
    const browser = site.visitor();
    const started = await browser.post(`${site.mount}/signin/fake-post`, await site.csrf(browser));
    check(
      started.redirect !== undefined,
      `the sign-in did not start: ${started.status} ${started.text().slice(0, 200)}`,
    );
    const { action, body } = await provider.authorizeForm(started.redirect);
    const posted = await browser.open(action, { body, ...ELSEWHERE });
    const end = startsSession(posted) ? posted : await browser.follow(posted, { until: startsSession });
    check(startsSession(end), `the callback set no session cookie: ${end.status} ${end.location}`);
  }),

  rule('GET starts no sign-in with a password, and ends no session', async (scene) => {
    const site = await scene.site();
    const browser = await site.signedIn();
    for (const path of ['/signout', '/signout?csrfToken=x', `/callback/credentials?${new URLSearchParams(ADA)}`]) {
      const page = await browser.get(site.mount + path, ELSEWHERE);
      check(!startsSession(page), `GET ${path} starts a session`);
      same(nameIn(await site.session(browser)), 'Ada', `the name in the session after GET ${path}`);
    }
  }),
];

async function refusesForm(scene: Scene, fields: object): Promise<void> {
  const site = await scene.site();
  const browser = site.visitor();
  await site.csrf(browser);
  isRefused(await browser.post(`${site.mount}/callback/credentials`, { ...ADA, ...fields }), 'the form');
}

/** Posts the sign-in form with the token, from another place, with all cookies of the browser. */
async function refusesFrom(scene: Scene, from: Partial<OpenOptions>): Promise<void> {
  const site = await scene.site();
  const browser = site.visitor();
  const fields = { ...(await site.csrf(browser)), ...ADA };
  const headers = { cookie: cookiesOf(browser), ...from.headers };
  isRefused(await browser.post(`${site.mount}/callback/credentials`, fields, { ...from, headers }), 'the form');
}

function isRefused(page: Page, what: string): void {
  check(!startsSession(page), `${what} starts a session: status ${page.status}`);
}
