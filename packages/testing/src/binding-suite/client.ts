import { check, same } from '../adapter-suite/expect.ts';
import { BINDING_PASSWORD, BINDING_SECRET } from '../binding-application.ts';
import { type BindingCase, rule } from './case.ts';
import { ClientTab } from './client-tab.ts';
import type { Scene } from './scene.ts';

const ada = `name: 'Ada', password: '${BINDING_PASSWORD}'`;

/** Functions of the browser, on the page `/client`. */
export const client: readonly BindingCase[] = [
  inBrowser(
    '`signIn` with `redirect: false` returns the result, and the page shows the session',
    async (open, scene) => {
      const tab = await open();
      const result = await tab.call(`signIn('credentials', { ${ada}, redirect: false })`);
      await tab.shows('Ada');
      if (scene.subject.features?.clientRouter === false) return;
      same([result?.ok, result?.url], [true, `${tab.origin}/client`], 'members `ok` and `url` of the result');
      check(await tab.isFirstDocument(), 'the page was loaded again');
    },
  ),

  inBrowser('`signIn` with a wrong password returns the error, and starts no session', async (open) => {
    const tab = await open();
    const result = await tab.call(`signIn('credentials', { name: 'Ada', password: 'wrong', redirect: false })`);
    same([result?.ok, result?.error], [false, 'CredentialsSignin'], 'members `ok` and `error` of the result');
    await tab.shows('undefined');
    await tab.goto('/session');
    same(await tab.text(), 'null', 'the session after the sign-in');
  }),

  inBrowser('`signIn` goes to `redirectTo`', async (open) => {
    const tab = await open();
    await tab.call(`signIn('credentials', { ${ada}, redirectTo: '/session' })`);
    await tab.reaches('/session');
    check((await tab.text()).includes('"Ada"'), 'the visitor has no session there');
  }),

  inBrowser(
    '`signOut` with `redirect: false` returns the address, and the page shows no session',
    async (open, scene) => {
      const tab = await open();
      await signIn(tab);
      const result = await tab.call(`signOut({ redirect: false, redirectTo: '/session' })`);
      await tab.shows('undefined');
      if (scene.subject.features?.clientRouter === false) return;
      same(result?.url, `${tab.origin}/session`, 'member `url` of the result');
      check(await tab.isFirstDocument(), 'the page was loaded again');
    },
  ),

  inBrowser('a sign-in and a sign-out in one tab are shown in the others', async (open) => {
    const [tab, other] = [await open(), await open()];
    await signIn(other);
    await tab.shows('Ada');
    await other.call('signOut({ redirect: false })');
    await tab.shows('undefined');
  }),

  inBrowser('without a session, a link to a guarded page loads the sign-in page as a document', async (open, scene) => {
    const tab = await open();
    await tab.followLink();
    const { searchParams } = await tab.reachesPath(`${scene.subject.basePath ?? '/auth'}/signin`);
    const isPath = scene.subject.features?.pathTargets !== false;
    same(searchParams.get('callbackUrl'), isPath ? LINK : `${tab.origin}${LINK}`, 'parameter `callbackUrl`');
    check(!(await tab.isFirstDocument()), "the page was changed by the framework's router");
    check(await tab.has('input[name=password]'), 'the sign-in page is not shown');
  }),

  inBrowser('with a session, a link opens a guarded page', async (open) => {
    const tab = await open();
    await signIn(tab);
    await tab.followLink();
    await tab.reaches(LINK);
    await tab.shows('Guarded page of Ada');
  }),

  inBrowser('the files of a page contain neither the configuration nor code of the server', async (open) => {
    const files = await (await open()).files();
    check(
      files.some((file) => file.includes('callbackUrl')),
      'the page has not loaded the functions of the client',
    );
    const found = [BINDING_SECRET, 'csrf-token', 'session-token', 'BINDING_SETUP'].filter((text) =>
      files.some((file) => file.includes(text)),
    );
    same(found, [], 'texts of the server in files for the browser');
  }),
];

/** Where the link of the page leads. */
const LINK = '/guarded?chapter=2';

/** Returns a case with one browser profile. `open` opens the page in a new tab of it. */
function inBrowser(title: string, run: (open: () => Promise<ClientTab>, scene: Scene) => Promise<void>): BindingCase {
  const withProfile = async (scene: Scene): Promise<void> => {
    const { origin } = await scene.site();
    const profile = await scene.profile();
    try {
      await run(async () => ClientTab.open(await profile.newPage(), origin), scene);
    } finally {
      await profile.close();
    }
  };
  return rule(title, withProfile, ['client']);
}

async function signIn(tab: ClientTab): Promise<void> {
  await tab.call(`signIn('credentials', { ${ada}, redirect: false })`);
  await tab.shows('Ada');
}
