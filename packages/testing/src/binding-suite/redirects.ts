import { check, same } from '../adapter-suite/expect.ts';
import { BINDING_PASSWORD } from '../binding-application.ts';
import { type BindingCase, rule } from './case.ts';
import type { Scene } from './scene.ts';
import { NAVIGATION, type Site, startsSession } from './site.ts';

/** Redirects to other sites. */
export const redirects: readonly BindingCase[] = [
  rule('a sign-in does not lead to `//host`', (scene) => staysOnSite(scene, ['//evil.example', '///evil.example/x'])),

  rule('a sign-in does not lead to `/\\host`', (scene) =>
    staysOnSite(scene, ['/\\evil.example', '\\\\evil.example', '/\t/evil.example', '/\n/evil.example']),
  ),

  rule('a sign-in does not lead to an encoded host', (scene) =>
    staysOnSite(scene, ['/%2Fevil.example', '%2F%2Fevil.example', '/%5Cevil.example', 'https:%2F%2Fevil.example']),
  ),

  rule("a sign-in does not lead to a host behind the site's own as user information", (scene) =>
    staysOnSite(scene, (site) => [`http://${new URL(site.origin).host}@evil.example/`, `${site.origin}@evil.example`]),
  ),

  rule('a sign-in does not lead to another origin', (scene) =>
    staysOnSite(scene, (site) => [
      'https://evil.example/',
      'http://evil.example:80',
      `${site.origin}.evil.example/`,
      'javascript:alert(1)',
    ]),
  ),

  rule('a sign-out does not lead to another site', async (scene) => {
    const site = await scene.site();
    for (const callbackUrl of ['https://evil.example/', '//evil.example', '/\\evil.example']) {
      const browser = await site.signedIn();
      const page = await browser.post(`${site.mount}/signout`, { ...(await site.csrf(browser)), callbackUrl });
      same(page.redirect?.origin, site.origin, `the origin to which a sign-out with ${callbackUrl} leads`);
    }
  }),

  rule('a guard does not read the host of `Host`', (scene) => namesNoHost(scene, { host: 'evil.example' }), [
    'pathTargets',
  ]),

  rule(
    'a guard does not read the host of `X-Forwarded-Host` and `Forwarded`',
    (scene) =>
      namesNoHost(scene, {
        'x-forwarded-host': 'evil.example',
        'x-forwarded-proto': 'https',
        'x-forwarded-server': 'evil.example',
        'x-original-host': 'evil.example',
        forwarded: 'host=evil.example;proto=https',
      }),
    ['pathTargets'],
  ),
];

/** Signs in with each callback URL, and checks the origin to which the visitor is sent. */
async function staysOnSite(scene: Scene, targets: readonly string[] | ((site: Site) => string[])): Promise<void> {
  const site = await scene.site();
  for (const callbackUrl of typeof targets === 'function' ? targets(site) : targets) {
    const fields = { name: 'Ada', password: BINDING_PASSWORD, callbackUrl };
    const page = await site.enter(site.visitor(), fields);
    const shown = JSON.stringify(callbackUrl);
    check(startsSession(page), `the sign-in with the callback URL ${shown} failed with status ${page.status}`);
    same(page.redirect?.origin, site.origin, `the origin to which the callback URL ${shown} leads`);
  }
}

async function namesNoHost(scene: Scene, headers: Record<string, string>): Promise<void> {
  const site = await scene.site();
  const page = await site.send('/guarded', { headers: { ...NAVIGATION, ...headers } });
  const location = page.location ?? '';
  check(!location.includes('evil'), `the guard redirects to ${location}, a host that the client has named`);
  check(
    location.includes(`${site.mount}/signin`) || page.status >= 400,
    `expected a redirect to the sign-in page or an error, got status ${page.status}`,
  );
}
