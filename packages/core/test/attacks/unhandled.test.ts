import type { Page } from '@latchkey/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Flow } from './failing/flow.ts';
import { flows } from './failing/flows.ts';
import { type Kind, type Site, siteOf, stageOf } from './failing/site.ts';
import { HIDDEN, type Way, ways, wrongRows } from './failing/ways.ts';

const unhandled: unknown[] = [];
const note = (reason: unknown): void => void unhandled.push(reason);

beforeAll(() => {
  process.on('unhandledRejection', note);
  process.on('uncaughtException', note);
});
afterAll(() => {
  process.off('unhandledRejection', note);
  process.off('uncaughtException', note);
});

/** If one of these fails, the flow creates no session. */
const ON_THE_WAY =
  /^(callbacks\.(signIn|jwt)|jwt\.encode|generateSessionToken|authorize|profile|account|userinfo\.request|customFetch|simpleWebAuthn|rateLimit\.identifier)$/;

/** Codes of the sign-in, error and account pages, which applications rely on, then the provider and the reason. */
const CODES =
  /[?&]error=(AccessDenied|Callback|CredentialsSignin&code=credentials|EmailCreateAccount|EmailSignin|InvalidCheck|LastWayIn|OAuthAccountNotLinked|OAuthCallbackError|OAuthCreateAccount|OAuthSignin|RateLimited|RecentSignInRequired|SessionRequired|Verification|WebAuthnVerificationError|Configuration&reference=[\da-f]{8})(&provider=(fake|plain|mail|passkey|credentials)(&reason=[a-z-]+)?)?$/;

/** The functions that a flow asks, in their order. */
async function askedIn(flow: Flow, kind: Kind): Promise<string[]> {
  const site = siteOf({ ...kind, features: flow.features });
  await flow.before(site);
  site.fuse.called.clear();
  await flow.go(site);
  return [...site.fuse.called];
}

/** Goes through the flow while one of its functions fails in one way; says what is wrong. */
async function faultsOf(flow: Flow, site: Site, name: string, way: Way): Promise<string[]> {
  const { app, fuse, log } = site;
  const { length } = app.browser.history;
  const hadSession = app.browser.cookies.has(SESSION);
  fuse.blow(name, way.fail);
  const thrown = await flow.go(site).then(
    () => [],
    () => ['throws'],
  );
  fuse.mend();
  const isTold = way.isAnswer || name.startsWith('logger.') || log.length > 0;
  return [
    ...thrown,
    ...app.browser.history.slice(length).flatMap((page) => pageFaults(page, flow)),
    ...(fuse.called.has(name) ? [] : ['is not asked']),
    ...(isTold ? [] : ['does not tell the log']),
    ...(await sessionFaults(site, flow, way)),
    ...(!hadSession && ON_THE_WAY.test(name) && app.browser.cookies.has(SESSION) ? ['signs in all the same'] : []),
  ];
}

function pageFaults(page: Page, flow: Flow): string[] {
  const { status, location, url } = page;
  const text = page.text();
  const session = url.endsWith('/auth/session') && status === 200 ? (JSON.parse(text) as SessionOf | null) : null;
  return [
    ...(isUsual(page) ? [] : [`answers ${status}`]),
    ...(location?.includes('error=') && !CODES.test(location) ? [`leads to ${location}`] : []),
    ...(text.includes(HIDDEN) || location?.includes(HIDDEN) ? ['tells the visitor'] : []),
    ...(session !== null && !isExpected(session, flow) ? [`tells the session of ${session.user?.email}`] : []),
  ];
}

type SessionOf = { user?: { email?: string } };

/** Is it the session of a user of the flow? */
function isExpected({ user }: SessionOf, { who }: Flow): boolean {
  return [who].flat().includes(user?.email ?? '');
}

const SESSION = 'authjs.session-token';

async function sessionFaults({ app }: Site, flow: Flow, { isAnswer }: Way): Promise<string[]> {
  const hadCookie = app.browser.cookies.has(SESSION);
  const session = (await app.session()) as SessionOf | null;
  if (hadCookie !== (session !== null)) return ['leaves a cookie that stands for nothing'];
  if (session !== null && !isExpected(session, flow)) return [`signs in ${session.user?.email}`];
  // A store may answer that there is no session.
  return flow.keeps && session === null && !isAnswer ? ['signs out'] : [];
}

/**
 * A page, or a way on. Who is not known to be signed in has to say for whom a passkey would be. Scripts get errors as
 * JSON.
 */
function isUsual({ status, url, headers }: Page): boolean {
  const isForScripts = url.includes('/webauthn-options/') || headers.get('content-type') === 'application/json';
  return status === 200 || status === 302 || ((status === 400 || status === 500) && isForScripts);
}

/**
 * Each function fails in every way in the first flow that calls it. In the other flows it fails in one of these ways in
 * each kind of application (`waysFor`).
 */
const some = ways.filter(({ name }) =>
  /^(throws an Error|rejects with undefined|throws a frozen AuthError)$/.test(name),
);

const kinds: readonly Kind[] = [
  { strategy: 'jwt', optional: true },
  { strategy: 'database', optional: true },
  { strategy: 'database', optional: false },
];
/** Functions that have failed in every way. */
const done = new Set<string>();

/** How a function fails in a flow. Over the kinds of applications, it fails in each of the three ways. */
function waysFor(kind: Kind, name: string): readonly Way[] {
  return done.has(name) ? some.slice(kinds.indexOf(kind)).slice(0, 1) : ways;
}

/** All wrong rows in one kind of application; the first and the last stand for them in the others. */
function rowsFor({ strategy, optional }: Kind, name: string): readonly Way[] {
  if (!name.startsWith('adapter.')) return [];
  return strategy === 'database' && optional ? wrongRows : wrongRows.filter((_, index) => index % 7 === 0);
}

describe('a function of the application that fails', () => {
  it.each(flows.map((flow) => [flow.name, flow] as const))(
    'in %s there is an answer, no session by mistake, a line in the log, and the process lives',
    async (_, flow) => {
      const faults: string[] = [];
      for (const kind of kinds) {
        const stage = await stageOf({ ...kind, features: flow.features }, flow.before);
        for (const name of await askedIn(flow, kind)) {
          const tried = [...waysFor(kind, name), ...rowsFor(kind, name)];
          done.add(name);
          for (const way of tried) {
            const found = await faultsOf(flow, await stage(name), name, way);
            faults.push(...found.map((fault) => `${kind.strategy}: ${name} ${way.name}: ${fault}`));
          }
        }
      }
      expect(faults).toEqual([]);
      // Node reports unhandled rejections after the promises have run.
      for (let turns = 0; turns < 5; turns++) await new Promise((resolve) => setImmediate(resolve));
      expect(unhandled).toEqual([]);
    },
  );

  it('is everything that it can bring', async () => {
    const asked = new Set<string>();
    for (const kind of kinds) for (const flow of flows) for (const name of await askedIn(flow, kind)) asked.add(name);
    const all = kinds.flatMap((kind) => [...siteOf({ ...kind, features: 'account' }).fuse.names]);
    // Applications ask it themselves.
    const others = ['adapter.cleanup'];
    expect(all.filter((name) => !asked.has(name) && !others.includes(name))).toEqual([]);
  });
});
