import { check, same } from '../adapter-suite/expect.ts';
import { BINDING_PASSWORD, type BindingSetup } from '../binding-application.ts';
import type { Page } from '../browser.ts';
import { type BindingCase, rule } from './case.ts';
import type { Scene } from './scene.ts';
import { nameIn, type Site } from './site.ts';

const FORWARDED = { 'x-forwarded-host': 'app.example', 'x-forwarded-proto': 'https' } as const;
const TRUSTED: BindingSetup = { trustProxy: true };

/** The address of the site behind proxies. */
export const proxies: readonly BindingCase[] = [
  rule('`AUTH_URL` names the origin, not `Host` and forwarded headers', async (scene) => {
    const setup = { env: { AUTH_URL: 'https://app.example' }, trustProxy: true };
    for (const headers of [
      {},
      { host: 'evil.example' },
      { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' },
    ]) {
      same(
        await originSeen(scene, setup, headers),
        'https://app.example',
        `the origin with ${JSON.stringify(headers)}`,
      );
    }
  }),

  rule(
    'forwarded headers do not count unless the framework trusts the proxy',
    async (scene) => {
      const { origin } = await scene.site();
      same(await originSeen(scene, {}, FORWARDED), origin, 'the origin');
    },
    ['ignoresProxy'],
  ),

  rule(
    '`X-Forwarded-Host` and `X-Forwarded-Proto` of a trusted proxy name the origin',
    async (scene) => {
      same(await originSeen(scene, TRUSTED, FORWARDED), 'https://app.example', 'the origin');
      const { origin } = await scene.site(TRUSTED);
      same(await originSeen(scene, TRUSTED, {}), origin, 'the origin without forwarded headers');
    },
    ['trustProxy'],
  ),

  rule(
    'behind a trusted proxy with https, the visitor signs in with `Secure` cookies and has a session',
    async (scene) => {
      const site = await scene.site(TRUSTED);
      const browser = await site.signedIn('Ada', { origin: 'https://app.example', headers: FORWARDED });
      check(
        browser.cookies.has('__Secure-authjs.session-token'),
        'the session cookie must have the prefix `__Secure-`',
      );
      same(nameIn(await site.session(browser)), 'Ada', 'the name in the session at a route of the application');
    },
    ['trustProxy'],
  ),

  rule(
    'of lists in forwarded headers, the first element counts',
    async (scene) => {
      const headers = { 'x-forwarded-host': 'app.example, inner.example', 'x-forwarded-proto': 'https, http' };
      same(await originSeen(scene, TRUSTED, headers), 'https://app.example', 'the origin');
    },
    ['trustProxy', 'firstForwarded'],
  ),

  rule(
    'a port in `X-Forwarded-Host` is kept, unless it is the default',
    async (scene) => {
      for (const [host, origin] of [
        ['app.example:8443', 'https://app.example:8443'],
        ['app.example:443', 'https://app.example'],
        ['[::1]:8443', 'https://[::1]:8443'],
      ] as const) {
        const headers = { ...FORWARDED, 'x-forwarded-host': host };
        same(await originSeen(scene, TRUSTED, headers), origin, `the origin of ${host}`);
      }
    },
    ['trustProxy', 'forwardedSyntax'],
  ),

  rule(
    'an invalid host is refused with 400',
    async (scene) => {
      const site = await scene.site(TRUSTED);
      for (const host of ['a b', 'user@evil.example', 'app.example#', 'app.example:99999', 'evil.example/x', '[::1']) {
        const page = await providers(site, { ...FORWARDED, 'x-forwarded-host': host });
        same(page.status, 400, `status with the host "${host}"`);
        check(!page.text().includes('evil'), `the answer repeats the host "${host}"`);
      }
    },
    ['trustProxy', 'refusesHosts'],
  ),

  rule(
    'limits count the address that a trusted proxy names',
    async (scene) => {
      const setup = { trustProxy: true, limits: true };
      for (let count = 0; count < 3; count++) await attempt(scene, setup, '203.0.113.7', 'wrong');
      const limited = await attempt(scene, setup, '203.0.113.7', BINDING_PASSWORD);
      check(/^429|RateLimited/.test(limited), `the fourth attempt of an address must be limited, got ${limited}`);
      const other = await attempt(scene, setup, '198.51.100.9', BINDING_PASSWORD);
      check(!/^4|error=/.test(other), `another address must not be limited, got ${other}`);
    },
    ['trustProxy', 'clientAddress'],
  ),
];

function providers(site: Site, headers: Readonly<Record<string, string>>): Promise<Page> {
  return site.send(`${site.mount}/providers`, { headers });
}

/** Returns the origin of the callback URLs. */
async function originSeen(
  scene: Scene,
  setup: BindingSetup,
  headers: Readonly<Record<string, string>>,
): Promise<string> {
  const page = await providers(await scene.site(setup), headers);
  same(page.status, 200, 'status of the list of providers');
  return new URL(page.json<Record<string, { callbackUrl: string }>>()['credentials']?.callbackUrl ?? '').origin;
}

/** Signs in from an address, and returns where the visitor is sent. */
async function attempt(scene: Scene, setup: BindingSetup, address: string, password: string): Promise<string> {
  const site = await scene.site(setup);
  const browser = site.visitor({ headers: { 'x-forwarded-for': address } });
  const page = await site.enter(browser, { name: 'Ada', password });
  return page.location ?? `${page.status} ${page.text().slice(0, 200)}`;
}
