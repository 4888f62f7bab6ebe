import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Browser, MemorySessionRecords, type Page } from '@latchkey/testing';
import { type OidcProvider, startOidcProvider } from '@latchkey/testing/oidc-provider';
import { afterEach, describe, expect, it } from 'vitest';
import { freePort } from '../../../../test/services/port.ts';
import type { Session } from '../../src/types/session.ts';
import type { SessionRecords } from '../../src/types/session-records.ts';
import type { StepRequest } from './logout-process.ts';
import { clientOf, type Site, serveSite } from './logout-site.ts';

const ONE = 'http://one.test';
const TWO = 'http://two.test';

/** Two sites with one provider, which all listen on the loopback address, and a visitor. */
interface World {
  readonly provider: OidcProvider;
  readonly one: Site;
  readonly two: Site;
  readonly issuer: string;
  readonly records: MemorySessionRecords;
  readonly browser: Browser;
  /** Starts a sign-in, up to a page of the provider, or back to the site if the provider asks nothing. */
  startSignIn(origin: string): Promise<Page>;
  signIn(origin: string): Promise<Page>;
  /** Signs out of a site, up to the first page that is not a redirect. */
  signOut(origin: string, fields?: Record<string, string>): Promise<Page>;
  session(origin: string): Promise<Session | null>;
}

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function world(options: Partial<Parameters<typeof startOidcProvider>[0]> = {}): Promise<World> {
  const port = await freePort();
  const issuer = `http://127.0.0.1:${port}`;
  const records = MemorySessionRecords();
  const one = await serveSite({ origin: ONE, clientId: 'one', issuer, store: records });
  const two = await serveSite({ origin: TWO, clientId: 'two', issuer, store: MemorySessionRecords() });
  const provider = await startOidcProvider({
    host: '127.0.0.1',
    port,
    backchannelLogout: true,
    clients: [clientOf(one), clientOf(two)],
    ...options,
  });
  closing.push(() => provider.close(), one.close, two.close);
  const browser = new Browser(askSites({ [ONE]: one.port, [TWO]: two.port }), { origin: ONE });
  const csrfToken = async (origin: string): Promise<string> =>
    (await browser.get(`${origin}/auth/csrf`)).json<{ csrfToken: string }>().csrfToken;
  const post = async (origin: string, action: string, fields: Record<string, string>): Promise<Page> =>
    browser.post(`${origin}/auth/${action}`, { csrfToken: await csrfToken(origin), ...fields });
  const startSignIn = async (origin: string): Promise<Page> =>
    followTo(browser, await post(origin, 'signin/idp', { callbackUrl: '/inside' }), origin);
  return {
    provider,
    one,
    two,
    issuer,
    records,
    browser,
    startSignIn,
    signIn: async (origin) => answerForm(browser, await startSignIn(origin), origin),
    async signOut(origin, fields = {}) {
      const page = await post(origin, 'signout', { callbackUrl: '/bye', ...fields });
      return page.redirect?.origin === origin ? page : browser.follow(page, { until: 'page' });
    },
    session: async (origin) => (await browser.get(`${origin}/auth/session`)).json(),
  };
}

/** Sends requests for a site to the port where it listens, and all others to their own address. */
function askSites(ports: Readonly<Record<string, number>>): (request: Request) => Promise<Response> {
  return (request) => {
    const { origin, pathname, search } = new URL(request.url);
    const port = ports[origin];
    return fetch(port ? new Request(`http://127.0.0.1:${port}${pathname}${search}`, request) : request);
  };
}

/** Follows redirects up to a page of the provider, or to the page of the site that the callback leads to. */
function followTo(browser: Browser, page: Page, origin: string): Promise<Page> {
  return browser.follow(page, { until: ({ redirect }) => redirect?.href === `${origin}/inside` });
}

/** Answers the login page, or the page that asks a visitor who is signed in there for consent. */
async function answerForm(browser: Browser, page: Page, origin: string): Promise<Page> {
  if (page.redirect) return page;
  const isLogin = page.text().includes('name="login"');
  const answer = await browser.submit(browser.form(page), isLogin ? { login: 'ada', password: 'password' } : {});
  return followTo(browser, answer, origin);
}

/** Presses the button of the provider's sign-out page. Returns the page to which it leads. */
async function confirm({ browser }: World, page: Page): Promise<Page> {
  const answer = await browser.submit(browser.form(page), { logout: 'yes' });
  return browser.follow(answer, { until: ({ redirect }) => redirect?.pathname === '/bye' });
}

describe('two sites with one provider', () => {
  it('signing out of one ends the session of the other, and leads back', async () => {
    const made = await world();
    await made.signIn(ONE);
    await made.signIn(TWO);
    expect([await made.session(ONE), await made.session(TWO)]).not.toContain(null);
    const page = await made.signOut(ONE);
    expect(await made.session(ONE)).toBeNull();
    expect(page.text()).toContain('Sign out of the test provider?');
    expect((await confirm(made, page)).location).toBe(`${ONE}/bye`);
    expect(await made.session(TWO)).toBeNull();
    expect([made.one.log, made.two.log, made.two.tokens.length]).toEqual([[], [], 1]);
    expect((await made.startSignIn(ONE)).text()).toContain('name="login"');
  });

  it('a sign-out at the provider itself ends both sessions', async () => {
    const made = await world();
    await made.signIn(ONE);
    await made.signIn(TWO);
    await confirm(made, await made.browser.get(`${made.issuer}/session/end`));
    expect([await made.session(ONE), await made.session(TWO)]).toEqual([null, null]);
  });

  it('with `provider=false`, the other session and that of the provider continue', async () => {
    const made = await world();
    await made.signIn(ONE);
    await made.signIn(TWO);
    expect((await made.signOut(ONE, { provider: 'false' })).location).toBe(`${ONE}/bye`);
    expect([await made.session(ONE), (await made.session(TWO)) !== null]).toEqual([null, true]);
    expect((await made.signIn(ONE)).location).toBe(`${ONE}/inside`);
  });

  it('while the provider is down, a sign-out ends the session of the site', async () => {
    const made = await world();
    await made.signIn(ONE);
    await made.provider.stop();
    await expect(made.signOut(ONE)).rejects.toThrow();
    expect(await made.session(ONE)).toBeNull();
  });

  it('if the provider does not offer it, a sign-out stays local, with a warning', async () => {
    const made = await world({ rpInitiatedLogout: false });
    await made.signIn(ONE);
    expect((await made.signOut(ONE)).location).toBe(`${ONE}/bye`);
    expect(made.one.log).toEqual(['no-end-session-endpoint']);
  });
});

describe('a logout token of the real provider', () => {
  it('is not accepted again, and ends no later session in another process of the site', async () => {
    const made = await world();
    const second = await anotherProcess(made.issuer, made.records);
    await made.signIn(ONE);
    await made.signIn(TWO);
    await confirm(made, await made.signOut(TWO));
    expect(await made.session(ONE)).toBeNull();
    await made.signIn(ONE);
    const [token = ''] = made.one.tokens;
    expect(await postToken(made.one.port, token)).toBe(400);
    expect(await postToken(second, token)).toBe(200);
    expect(await postToken(second, token)).toBe(400);
    expect(await made.session(ONE)).not.toBeNull();
    expect(made.one.log).toEqual(['LogoutTokenError']);
  });

  it('of one client is not accepted by another', async () => {
    const made = await world();
    await made.signIn(ONE);
    await made.signIn(TWO);
    await confirm(made, await made.signOut(ONE));
    const [token = ''] = made.two.tokens;
    await made.signIn(ONE);
    expect(await postToken(made.one.port, token)).toBe(400);
    expect(await made.session(ONE)).not.toBeNull();
  });
});

async function postToken(port: number, logout_token: string): Promise<number> {
  const body = new URLSearchParams({ logout_token });
  return (await fetch(`http://127.0.0.1:${port}/auth/logout/idp`, { method: 'POST', body })).status;
}

/** Starts another process of the first site, with the records of this one. Returns its port. */
async function anotherProcess(issuer: string, records: SessionRecords): Promise<number> {
  const sources = fileURLToPath(new URL('../../../adapter-sql/test/faults/sources.mjs', import.meta.url));
  const child = fork(new URL('logout-process.ts', import.meta.url), [ONE, 'one', issuer], {
    execArgv: ['--import', sources],
    serialization: 'advanced',
  });
  closing.push(() => end(child));
  const port = await new Promise<number>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the process ended before it was ready: ${code}`)));
    child.on('message', async (message: number | StepRequest) => {
      if (typeof message === 'number') return resolve(message);
      const { id, step, args } = message;
      const carryOut = records[step] as (...given: readonly unknown[]) => unknown;
      return child.send({ id, result: await carryOut.apply(records, [...args]) });
    });
  });
  return port;
}

async function end(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.disconnect();
  await ended;
}
