import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { Browser, FakeProvider, type FakeUser } from '@latchkey/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Fresh } from '../../../../test/services/index.ts';
import { sessionCookie, stranger } from './application.ts';
import { type Desk, kinds } from './places.ts';
import { type Program, startProgram } from './program.ts';
import { tallyOf } from './tally.ts';

const origin = 'http://localhost:3000';

describe.each(kinds.filter(({ isAvailable }) => isAvailable))('two processes on one $name', (kind) => {
  let fresh: Fresh;
  let desk: Desk;
  let provider: Provider;
  let programs: [Program, Program];
  let ports: [string, string];

  beforeAll(async () => {
    fresh = await (await kind.shared()).fresh();
    desk = await kind.desk(fresh.url);
    provider = await startProvider();
    const start = (): Program => startProgram('site.ts', kind.name, fresh.url, provider.issuer, origin);
    programs = [start(), start()];
    ports = [await programs[0].ask('port'), await programs[1].ask('port')];
  });

  afterAll(async () => {
    for (const program of programs ?? []) await program.kill();
    await provider?.close();
    await desk?.close();
    await fresh?.drop();
  });

  /** Returns a visitor with one cookie jar for both processes, as behind a load balancer. */
  function visitor(): [first: Browser, second: Browser] {
    const first = new Browser((request) => passedOn(request, ports[0]), { origin });
    return [first, new Browser((request) => passedOn(request, ports[1]), { origin }, first.cookies)];
  }

  it('start simultaneously and share one schema', async () => {
    const [first, second] = visitor();
    const looks = await Promise.all([first, second].map((browser) => browser.get('/auth/session')));
    expect(looks.map((look) => look.json())).toEqual([null, null]);
  });

  it('share a sign-in and a sign-out', async () => {
    const [[first, second], user] = [visitor(), stranger()];
    const comingBack = await provider.authorize((await post(first, 'signin/fake')).location ?? '', user);
    const answer = await second.get(comingBack, { site: 'cross-site' });
    expect(answer.cookie(sessionCookie), answer.location).toBeDefined();
    const signedIn = { user: { email: user.email } };
    expect([await sessionAt(first), await sessionAt(second)]).toMatchObject([signedIn, signedIn]);

    const thief = second.clone();
    await post(first, 'signout');
    // The old cookie: the store must refuse it.
    expect(await sessionAt(thief)).toBeNull();
    expect([await sessionAt(first), await sessionAt(second)]).toEqual([null, null]);
    expect(await tallyOf(desk)).toMatchObject({ users: 1, sessions: 0, halves: 0 });
  });

  it('never restore a session that one ends while the other extends it', async () => {
    for (let times = 0; times < 5; times++) {
      const [[first, second], user] = [visitor(), stranger()];
      const before = await tallyOf(desk);
      await signIn(first, user);
      const looking = Array.from({ length: 8 }, () => second.clone());
      const thief = second.clone();
      const [, ...looks] = await Promise.all([post(first, 'signout'), ...looking.map(sessionAt)]);
      for (const look of looks) if (look !== null) expect(look).toMatchObject({ user: { email: user.email } });
      expect(await sessionAt(thief)).toBeNull();
      expect(await tallyOf(desk)).toEqual({ ...before, users: before.users + 1 });
    }
  });

  it('both refuse a user whom one deletes', async () => {
    const [[first, second], user] = [visitor(), stranger()];
    const before = await tallyOf(desk);
    await signIn(second, user);
    expect(await sessionAt(first)).toMatchObject({ user: { email: user.email } });
    const [thief, other] = [first.clone(), second.clone()];
    expect(await programs[0].ask(user.email)).toBe(user.email);
    expect([await sessionAt(thief), await sessionAt(other)]).toEqual([null, null]);
    expect(await tallyOf(desk)).toEqual(before);
    // A new user in both.
    await signIn(first, user);
    expect(await sessionAt(second)).toMatchObject({ user: { email: user.email } });
    expect(await tallyOf(desk)).toEqual({ users: before.users + 1, sessions: before.sessions + 1, halves: 0 });
  });

  async function signIn(browser: Browser, user: FakeUser): Promise<void> {
    const { location = '' } = await post(browser, 'signin/fake');
    await browser.get(await provider.authorize(location, user), { site: 'cross-site' });
  }
});

/** A provider that listens on a port, for other processes. */
interface Provider {
  readonly issuer: string;
  authorize(location: string, user: FakeUser): Promise<string>;
  close(): Promise<void>;
}

async function startProvider(): Promise<Provider> {
  const server = createServer(async (request, response) => {
    const { method = 'GET', headers } = request;
    const body = method === 'GET' ? {} : { body: Readable.toWeb(request), duplex: 'half' };
    const asked = new Request(`${issuer}${request.url}`, {
      method,
      headers: headers as HeadersInit,
      ...body,
    } as RequestInit);
    const answer = await fake.fetch(asked);
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const clients = [{ client_id: 'client', client_secret: 'a secret' }];
  const fake = new FakeProvider({ issuer, clients, signingAlgorithm: 'ES256' });
  return {
    issuer,
    authorize: (location, user) => fake.authorize(location, { user }),
    close: async () => {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}

/** Sends a request to the process of a port, like a load balancer. */
async function passedOn(request: Request, port: string): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const { method, headers } = request;
  const body = method === 'GET' ? {} : { body: await request.text() };
  return fetch(`http://127.0.0.1:${port}${pathname}${search}`, { method, headers, redirect: 'manual', ...body });
}

async function post(browser: Browser, path: string) {
  const { csrfToken } = (await browser.get('/auth/csrf')).json<{ csrfToken: string }>();
  return browser.post(`/auth/${path}`, { csrfToken });
}

async function sessionAt(browser: Browser): Promise<unknown> {
  return (await browser.get('/auth/session')).json();
}
