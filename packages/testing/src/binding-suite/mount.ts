import { check, same } from '../adapter-suite/expect.ts';
import type { BindingSetup } from '../binding-application.ts';
import { type BindingCase, rule } from './case.ts';
import type { Scene } from './scene.ts';
import { nameIn, SESSION, type Site } from './site.ts';

/** Where the actions are. */
export const mount: readonly BindingCase[] = [
  rule('the handler answers the actions below its base path', async (scene) => {
    const site = await scene.site();
    await answersAt(site, site.mount);
  }),

  rule('a path that only begins like the base path belongs to the application', async (scene) => {
    const site = await scene.site();
    for (const path of [`${site.mount}x/session`, `${site.mount}-session`, '/x/session']) {
      const page = await site.send(path);
      same(page.status, 404, `status of ${path}, which the application does not have`);
    }
  }),

  rule('an unknown action is refused, and sets no session cookie', async (scene) => {
    const site = await scene.site();
    for (const path of ['nothing', 'session/more/parts', 'constructor']) {
      const page = await site.send(`${site.mount}/${path}`);
      check(
        page.status === 400 || page.status === 404,
        `status of the action "${path}": expected 400 or 404, got ${page.status}`,
      );
      same(page.setCookies.filter(({ name }) => name.includes(SESSION)).length, 0, 'number of session cookies');
    }
  }),

  rule('a trailing slash names the same action', async (scene) => {
    const site = await scene.site();
    const browser = site.visitor();
    const page = await browser.get(`${site.mount}/providers/`);
    const end = page.redirect ? await browser.follow(page) : page;
    same(end.status, 200, `status of ${site.mount}/providers/, after a redirect if there is one`);
    check('credentials' in end.json<object>(), 'the list of providers must have "credentials"');
  }),

  rule('a query does not hide an action', async (scene) => {
    const site = await scene.site();
    const page = await site.send(`${site.mount}/providers?a=/other&b=%2F`);
    check('credentials' in page.json<object>(), 'the list of providers must have "credentials"');
  }),

  rule(
    'the actions may be at a path of several segments',
    (scene) => signsInAt(scene, { basePath: '/api/v1/members' }),
    ['basePath'],
  ),

  rule(
    'with the base path `/`, paths that are not actions belong to the application',
    async (scene) => {
      const site = await scene.site({ basePath: '/' });
      const root = await site.send('/providers');
      check('credentials' in root.json<object>(), 'the list of providers must have "credentials"');
      same((await site.send('/double')).text(), '[null,null]', "the answer of the application's route /double");
    },
    ['basePath'],
  ),

  rule(
    'two mounts of one configuration have their own addresses',
    async (scene) => {
      const site = await scene.site({ secondMount: '/members' });
      for (const path of [site.mount, '/members', site.mount]) await answersAt(site, path);
    },
    ['secondMount'],
  ),

  rule("the actions are below the framework's own base path", (scene) => signsInAt(scene, { base: '/shop' }), ['base']),

  rule(
    'a request line with an absolute address names the same action, and its host does not count',
    async (scene) => {
      const site = await scene.site();
      const { host } = new URL(site.origin);
      const page = await site.send(`http://evil.example${site.mount}/providers`, { headers: { host } });
      same(addressOf(page.text()), `${site.origin}${site.mount}/callback/credentials`, 'the callback URL');
    },
    ['absoluteTarget'],
  ),
];

async function answersAt(site: Site, path: string): Promise<void> {
  const page = await site.send(`${path}/providers`);
  same(page.status, 200, `status of ${path}/providers`);
  same(addressOf(page.text()), `${site.origin}${path}/callback/credentials`, 'the callback URL');
}

async function signsInAt(scene: Scene, setup: BindingSetup): Promise<void> {
  const site = await scene.site(setup);
  await answersAt(site, site.mount);
  const browser = await site.signedIn();
  same(nameIn(await site.session(browser)), 'Ada', 'the name in the session at a route of the application');
  const page = await browser.get(`${site.mount}/session`);
  same(nameIn(page.json()), 'Ada', `the name in the answer of ${site.mount}/session`);
}

function addressOf(providers: string): string {
  return (JSON.parse(providers) as Record<string, { callbackUrl: string }>)['credentials']?.callbackUrl ?? providers;
}
