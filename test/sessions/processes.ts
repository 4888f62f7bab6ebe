import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Browser, Clock, type Page } from '@latchkey/testing';
import { expect } from 'vitest';

const origin = 'http://localhost:3000';

/** A database that processes share. */
export interface Place {
  readonly kind: string;
  readonly url: string;
  drop(): unknown;
}

/** A session in the list of its user. */
interface Listed {
  readonly id: string;
  readonly current: boolean;
}

/** Two processes of a site. They have one clock, which the test moves. */
export interface Processes {
  readonly clock: Clock;
  /** A visitor of a process, with the cookies of another browser. */
  visitor(index: number, like?: Browser): Browser;
  post(browser: Browser, path: string, fields: object, headers?: Record<string, string>): Promise<Page>;
  /** @param email Default: a new user. */
  signIn(base: string, email?: string, index?: number): Promise<Browser>;
  /** Whether a copy of a browser's cookies is a session at a process. */
  isLive(base: string, browser: Browser, index: number): Promise<boolean>;
  list(base: string, browser: Browser, index?: number): Promise<Listed[]>;
  /** Ends sessions: an id, `others` or `all`. */
  end(base: string, browser: Browser, which: string, index?: number): Promise<unknown>;
  /** Kills a process after a step of a request, and starts it again. */
  kill(index: number, step: string, send: (headers: Record<string, string>) => Promise<Page>): Promise<void>;
  close(): Promise<void>;
}

/** Starts two processes of `process.ts` with one database. */
export async function startProcesses(place: Place): Promise<Processes> {
  const clock = new Clock(new Date());
  // One after the other: the first creates the tables of the adapter.
  const members = [await start(place), await start(place)];

  const visitor = (index: number, like?: Browser): Browser => {
    const handler = (asked: Request): Promise<Response> => passedOn(asked, members[index]?.port, clock.now());
    return new Browser(handler, { origin, now: clock.now }, like?.cookies.clone());
  };

  const site: Processes = {
    clock,
    visitor,
    async post(browser, path, fields, headers = {}) {
      const base = path.slice(0, path.indexOf('/', 1));
      const { csrfToken } = (await browser.get(`${base}/csrf`)).json<{ csrfToken: string }>();
      return browser.post(path, { csrfToken, ...fields }, { headers: { accept: 'application/json', ...headers } });
    },
    async signIn(base, email = `${crypto.randomUUID()}@example.com`, index = 0) {
      const browser = visitor(index);
      await site.post(browser, `${base}/callback/credentials`, { email });
      expect(await site.isLive(base, browser, index)).toBe(true);
      return browser;
    },
    isLive: async (base, browser, index) => (await visitor(index, browser).get(`${base}/session`)).json() !== null,
    async list(base, browser, index = 0) {
      const page = await visitor(index, browser).get(`${base}/sessions`, { headers: { accept: 'application/json' } });
      return page.json<{ sessions: Listed[] }>().sessions;
    },
    end: async (base, browser, end, index = 0) =>
      (await site.post(visitor(index, browser), `${base}/sessions`, { end })).json(),
    async kill(index, step, send) {
      const exited = once(members[index]?.child as ChildProcess, 'exit');
      await expect(send({ 'x-die': step })).rejects.toThrow();
      expect(await exited).toEqual([null, 'SIGKILL']);
      members[index] = await start(place);
    },
    async close() {
      for (const member of members) await stop(member);
      await place.drop();
    },
  };
  return site;
}

/** A process of the site. */
interface Member {
  readonly child: ChildProcess;
  readonly port: number;
}

async function start({ kind, url }: Place): Promise<Member> {
  const sources = fileURLToPath(new URL('../../packages/adapter-sql/test/faults/sources.mjs', import.meta.url));
  const child = fork(new URL('process.ts', import.meta.url), [kind, url], { execArgv: ['--import', sources] });
  const gone = once(child, 'exit').then(([code]) => Promise.reject(new Error(`the process ended with ${code}`)));
  gone.catch(() => undefined);
  const [port] = await Promise.race([once(child, 'message'), gone]);
  return { child, port: Number(port) };
}

async function stop({ child }: Member): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.disconnect();
  await exited;
}

/** Sends a request to the process of a port. `fetch` would replace `Sec-Fetch-Mode`. */
async function passedOn(asked: Request, port: number | undefined, now: Date): Promise<Response> {
  const { pathname, search } = new URL(asked.url);
  const headers = { ...Object.fromEntries(asked.headers), 'x-now': String(now.getTime()) };
  const sent = request({ host: '127.0.0.1', port, path: pathname + search, method: asked.method, headers });
  sent.end(await asked.text());
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  const lines = Object.entries(answer.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  return new Response(await text(answer), { status: answer.statusCode ?? 0, headers: lines });
}
