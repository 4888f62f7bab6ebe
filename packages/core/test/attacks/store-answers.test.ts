import { type MemoryAdapter, memoryAdapter } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import type { Adapter } from '../../src/adapters.ts';
import Credentials from '../../src/providers/credentials.ts';
import { type Door, doors } from '../flows/doors.ts';
import { fakeProvider, oidc, type Scene, scene } from '../flows/scene.ts';

// What a store answers is judged behind the doors: one of them will do.
const [door] = doors as readonly [Door];
const fake = fakeProvider();
const ADA = 'ada@example.com';
const BOB = 'bob@example.com';

type Strategy = 'jwt' | 'database';

interface Shop {
  readonly app: Scene;
  readonly adapter: MemoryAdapter;
  /** Links that were mailed. */
  readonly sent: string[];
}

function shop(strategy: Strategy, optional: boolean): Shop {
  const adapter = memoryAdapter({ optional: optional as true });
  const sent: string[] = [];
  const app = scene(door, {
    adapter,
    session: { strategy, updateAge: 0 },
    rateLimit: false,
    providers: [
      oidc(fake),
      { id: 'mail', name: 'Mail', type: 'email', sendVerificationRequest: ({ url }) => void sent.push(url) },
      Credentials({ authorize: () => ({ id: String(adapter.dump().users[0]?.id), email: ADA }) }),
    ],
  });
  return { app, adapter, sent };
}

/** A way through the library: what comes before the store breaks, what is done then, and who may be signed in in the end. */
interface Flow {
  readonly before: (shop: Shop) => Promise<unknown>;
  readonly go: (shop: Shop) => Promise<unknown>;
  readonly who: string;
}

const nothing = async (): Promise<void> => undefined;
const mailed: Flow['go'] = ({ app }) => app.post('signin/mail', { email: BOB });
const signedIn: Flow['go'] = ({ app }) => app.signIn(fake);
const throughProvider: Flow['go'] = async ({ app }) => {
  const { location = '' } = await app.begin();
  return location.startsWith(fake.issuer) && app.finish(await fake.authorize(location));
};
const useLink: Flow['go'] = ({ app, sent }) => app.browser.get(sent.at(-1) ?? '/', { site: 'cross-site' });
const withoutCookie: Flow['go'] = async (one) => {
  await signedIn(one);
  one.app.browser.cookies.delete('authjs.session-token');
};

const flows: [name: string, flow: Flow][] = [
  ['a first sign-in', { before: nothing, go: throughProvider, who: ADA }],
  ['another sign-in', { before: signedIn, go: throughProvider, who: ADA }],
  ['asking for a mail', { before: nothing, go: mailed, who: 'nobody' }],
  ['a mailed link', { before: mailed, go: useLink, who: BOB }],
  ['reading the session', { before: signedIn, go: ({ app }) => app.session(), who: ADA }],
  ['updating the session', { before: signedIn, go: ({ app }) => app.post('session', { data: 'x' }), who: ADA }],
  ['credentials', { before: withoutCookie, go: ({ app }) => app.post('callback/credentials'), who: ADA }],
  ['signing out', { before: signedIn, go: ({ app }) => app.post('signout'), who: ADA }],
];

/** A session that is one, of nobody. */
const row = { session: { sessionToken: 'x', userId: 'x', expires: new Date(8e15) }, user: {} };

/** What a broken driver, proxy or serializer may make of a row, or do instead. */
const answers: readonly (() => unknown)[] = [
  ...[undefined, null, {}, [{}], 7, 'garbage', row, { ...row, user: undefined }].map((answer) => () => answer),
  ...[new Error('hunter2'), undefined, 'hunter2'].map((reason) => () => Promise.reject(reason)),
];

/** The methods that a flow asks. */
async function methodsOf({ before, go }: Flow, strategy: Strategy, optional: boolean): Promise<(keyof Adapter)[]> {
  const one = shop(strategy, optional);
  await before(one);
  const { length } = one.adapter.calls;
  await go(one);
  return [...new Set(one.adapter.calls.slice(length).map(({ method }) => method))];
}

/** Lets one method answer something else while the flow is gone through. */
async function broken(one: Shop, method: keyof Adapter, answer: () => unknown, flow: Flow): Promise<void> {
  await flow.before(one);
  const store = one.adapter as unknown as Record<string, unknown>;
  const right = store[method];
  store[method] = async () => answer();
  await flow.go(one);
  store[method] = right;
}

/** Nobody but the one who came is signed in, no cookie stands for nothing, and no page tells what the store has said. */
async function expectSafe({ app }: Shop, who: string, what: string): Promise<void> {
  const hadCookie = app.browser.cookies.has('authjs.session-token');
  const session = (await app.session()) as { user?: { email?: string } } | null;
  expect(session === null ? who : session.user?.email, what).toBe(who);
  expect(session !== null, `${what}: a cookie that stands for nothing`).toBe(hadCookie);
  for (const page of app.browser.history) {
    expect(`${page.status} ${page.location} ${page.text()}`, what).not.toMatch(/^500|garbage|hunter2/);
    if (page.url.endsWith('/auth/session')) expect([who, undefined], what).toContain(emailOf(page.json()));
  }
}

/** Whose session it is; `null` where it is nobody's, `undefined` without one. */
function emailOf(session: unknown): string | null | undefined {
  return session === null ? undefined : ((session as { user?: { email?: string } }).user?.email ?? null);
}

describe('a store that answers something else than it should, or fails,', () => {
  it.each(flows)('makes nobody a session in %s', async (_, flow) => {
    let tried = 0;
    for (const strategy of ['jwt', 'database'] as const) {
      for (const optional of [false, true]) {
        for (const method of await methodsOf(flow, strategy, optional)) {
          for (const [index, answer] of answers.entries()) {
            const one = shop(strategy, optional);
            await broken(one, method, answer, flow);
            await expectSafe(one, flow.who, `${strategy}, ${method}, answer ${index}`);
            tried++;
          }
        }
      }
    }
    // With tokens in cookies, reading and leaving ask no store at all.
    expect(tried).toBeGreaterThanOrEqual(answers.length);
  });
});
