import { BINDING_SECRET, type BindingSetup } from '@latchkey/testing/binding-application';
import { bindingCases, bindingSuite } from '@latchkey/testing/binding-suite';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isWithoutChromium, launchChromium } from '../../../../test/chromium.ts';
import { type ClientFaults, clientPage } from '../client-page/page.ts';
import { failuresOf } from '../failures.ts';
import { type Faults, startReference } from '../reference-application.ts';

const titles = (bindingCases['Client'] ?? []).map(({ title }) => title);

/** A broken client. */
interface BrokenClient {
  readonly that: string;
  readonly client?: ClientFaults;
  readonly binding?: Faults;
}

/** One for each case, in the order of the cases. */
const broken: readonly BrokenClient[] = [
  {
    that: 'does not return the result of `signIn`',
    client: { after: 'const { signIn } = client; client.signIn = async (...given) => void (await signIn(...given));' },
  },
  {
    that: 'reports each sign-in as a success',
    client: {
      after: `const { signIn } = client;
        client.signIn = async (...given) => ({ ...(await signIn(...given)), ok: true, error: undefined });`,
    },
  },
  {
    that: 'stays on the page after a sign-in',
    client: {
      after: `const { signIn } = client;
        client.signIn = (provider, options) => signIn(provider, { ...options, redirect: false });`,
    },
  },
  { that: 'does not sign out', client: { after: 'client.signOut = async () => ({ url: location.href });' } },
  {
    that: 'does not notice other tabs',
    client: { before: 'BroadcastChannel.prototype.postMessage = () => {}; cookieStore.addEventListener = () => {};' },
  },
  {
    that: "changes to the sign-in page by the framework's router",
    client: {
      after: `document.querySelector('a').onclick = (event) => {
        event.preventDefault();
        history.pushState(null, '', '/auth/signin?callbackUrl=%2Fguarded%3Fchapter%3D2');
      };`,
    },
  },
  { that: 'refuses each visitor', binding: { access: () => ({ status: 401 }) } },
  { that: 'sends the secret to the browser', client: { after: `// ${BINDING_SECRET}` } },
];
const faults = broken.map((fault, index) => ({ ...fault, title: titles[index] ?? '' }));

describe.skipIf(isWithoutChromium)('the cases of the client', () => {
  let right: Faults;
  let browser: Browser;
  beforeAll(async () => {
    [right, browser] = await Promise.all([clientPage(), launchChromium()]);
  });
  afterAll(() => browser?.close());

  /** All cases use one browser. */
  const launchBrowser = async () => ({ newContext: () => browser.newContext(), close: async () => undefined });

  describe('pass with the reference binding', () => {
    bindingSuite(
      { name: 'the reference binding', start: (setup) => startReference(setup, right), launchBrowser },
      {
        describe: (title, body) => (['the reference binding', 'Client'].includes(title) ? describe(title, body) : {}),
        it,
        afterAll,
      },
    );
  });

  it('all notice a broken client', () => {
    expect(broken).toHaveLength(titles.length);
  });

  // Four of them wait until the patience of the suite has ended.
  it.concurrent.each(faults)('notice a client that $that', async ({ client, binding, title }) => {
    const parts = { ...(await clientPage(client)), ...binding };
    const start = (setup: BindingSetup) => startReference(setup, parts);
    expect(await failuresOf({ name: 'broken', start, launchBrowser }, [title])).toEqual([title]);
  });
});
