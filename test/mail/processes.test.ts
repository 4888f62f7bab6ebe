import { fork } from 'node:child_process';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Browser, memoryAdapter, type Page } from '@latchkey/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newFolder } from '../../packages/adapter-sql/test/engines/engines.ts';
import { available, mariadb, postgres, redis } from '../services/index.ts';
import { origin, SEEN, type Seen, startSite } from './site.ts';

/** The processes of a site, behind a load balancer. */
interface Site {
  readonly ports: readonly number[];
  close(): Promise<void>;
}

/** A store, and the arguments of a process that uses it. */
interface Shared {
  readonly args: readonly string[];
  drop(): unknown;
}

const stores: Readonly<Record<string, { readonly isAvailable: boolean; start(): Promise<Site> }>> = {
  'memory, in one process': { isAvailable: true, start: inOneProcess },
  'SQLite, over two processes': { isAvailable: true, start: () => inTwoProcesses('SQLite', onSqlite()) },
  'PostgreSQL, over two processes': {
    isAvailable: await available('postgres'),
    start: async () => inTwoProcesses('PostgreSQL', await onServer(postgres)),
  },
  'MariaDB, over two processes': {
    isAvailable: await available('mariadb'),
    start: async () => inTwoProcesses('MariaDB', await onServer(mariadb)),
  },
  'Redis, over two processes': {
    isAvailable: await available('redis'),
    start: async () => inTwoProcesses('Redis', await onServer(redis)),
  },
};

async function inOneProcess(): Promise<Site> {
  // Gives others their turn at each call, as a real store does.
  const adapter = memoryAdapter({ latency: () => new Promise((resolve) => setImmediate(resolve)) });
  const { port, close } = await startSite(adapter);
  return { ports: [port, port], close: async () => close() };
}

function onSqlite(): Shared {
  const folder = newFolder();
  return { args: [folder.path('auth.db')], drop: folder.remove };
}

async function onServer(server: typeof postgres | typeof mariadb | typeof redis): Promise<Shared> {
  const fresh = await (await server()).fresh();
  return { args: [fresh.url, 'prefix' in fresh ? String(fresh.prefix) : ''], drop: () => fresh.drop() };
}

async function inTwoProcesses(kind: string, { args, drop }: Shared): Promise<Site> {
  const sources = fileURLToPath(new URL('../../packages/adapter-sql/test/faults/sources.mjs', import.meta.url));
  const start = async (): Promise<{ port: number; end(): Promise<void> }> => {
    const child = fork(new URL('process.ts', import.meta.url), [kind, ...args], { execArgv: ['--import', sources] });
    const ended = once(child, 'exit');
    const gone = ended.then(([code]) => Promise.reject(new Error(`the process ended before it was ready: ${code}`)));
    const [port] = await Promise.race([once(child, 'message'), gone]);
    gone.catch(() => undefined);
    return {
      port: Number(port),
      async end() {
        if (child.connected) child.disconnect();
        await ended;
      },
    };
  };
  const processes = [await start(), await start()];
  return {
    ports: processes.map(({ port }) => port),
    async close() {
      for (const { end } of processes) await end();
      await drop();
    },
  };
}

const waiting = '/verify-request?provider=mail&type=email&code=1';
const wrong = `${waiting}&error=Verification`;
const over = '/verify-request?provider=mail&type=email&error=Verification';
const refused = '/error?error=Verification';

describe.each(Object.entries(stores).filter(([, { isAvailable }]) => isAvailable))('mailed codes on %s', (_, store) => {
  let site: Site;
  beforeAll(async () => {
    site = await store.start();
  });
  afterAll(() => site?.close());

  describe.each(['/database', '/jwt'])('with sessions of %s', (base) => {
    it('check five of 200 wrong codes at once and later ones; then neither code nor link signs in', async () => {
      const { browser, mail, csrfToken } = await asking();
      const { judged: before } = await seen();
      const type = (index: number, code: string): Promise<Page> =>
        copyOf(browser, index).post(`${base}/code/mail`, { csrfToken, code });
      const pages = await Promise.all(
        Array.from({ length: 200 }, (__, index) => type(index, otherThan(mail.code, index))),
      );
      for (const page of pages) {
        expect(startsSession(page)).toBe(false);
        expect([wrong, over]).toContain(placeOf(page));
      }
      const judged = (await seen()).judged - before;
      expect(judged).toBeGreaterThan(0);
      expect(judged).toBeLessThanOrEqual(5);

      for (let count = judged + 1; count <= 5; count++)
        expect(placeOf(await type(count, otherThan(mail.code)))).toBe(count < 5 ? wrong : over);
      expect((await seen()).judged - before).toBe(5);
      const late = await type(0, mail.code);
      expect([placeOf(late), startsSession(late)]).toEqual([over, false]);
      expect(placeOf(await confirmed(mail.url))).toBe(refused);
    });

    it('give one session if the link and the code are used ten times at once', async () => {
      const { browser, mail, csrfToken } = await asking();
      const uses = Array.from({ length: 10 }, (__, index) => [
        copyOf(browser, index).get(mail.url, { site: 'cross-site' }),
        copyOf(browser, index).post(`${base}/code/mail`, { csrfToken, code: mail.code }),
      ]);
      const pages = await Promise.all(uses.flat());
      expect(pages.filter(startsSession)).toHaveLength(1);
      for (const page of pages) if (!startsSession(page)) expect([over, refused]).toContain(placeOf(page));
    });

    it('give one session if a link is used while its mail is sent again', async () => {
      for (let round = 0; round < 10; round++) {
        const { browser, mail, csrfToken } = await asking();
        const later = { headers: { 'x-later': '61' } };
        const [opened, again] = await Promise.all([
          copyOf(browser, round).get(mail.url, { site: 'cross-site' }),
          copyOf(browser, round + 1).post(`${base}/signin/mail`, { csrfToken }, later),
        ]);
        expect(placeOf(again)).toBe(waiting);
        expect((await mailsTo(mail.identifier)).length).toBe(2);
        if (!startsSession(opened)) expect(placeOf(opened)).toBe(refused);
        // A link that was refused while its token was out of the store works now, and no other.
        const tried = await confirmed(mail.url);
        expect([opened, tried].filter(startsSession)).toHaveLength(1);
      }
    });

    /** A browser that has requested a mail from one of the processes, and the mail. */
    async function asking() {
      const browser = visitorOf(0);
      const email = `${crypto.randomUUID()}@example.com`;
      const { csrfToken } = (await browser.get(`${base}/csrf`)).json<{ csrfToken: string }>();
      expect(placeOf(await browser.post(`${base}/signin/mail`, { csrfToken, email }))).toBe(waiting);
      const [mail] = await mailsTo(email);
      if (mail?.code === undefined) throw new Error('no mail with a code');
      return { browser, csrfToken, mail: { ...mail, code: mail.code } };
    }

    /** Opens a link in a browser without cookies, and presses the button of its page. */
    async function confirmed(url: string): Promise<Page> {
      const browser = visitorOf(1);
      return browser.submit(browser.form(await browser.get(url)));
    }

    function placeOf({ redirect }: Page): string | undefined {
      return redirect && (redirect.pathname + redirect.search).replace(base, '');
    }
  });

  it('fail in no other way', async () => {
    expect(new Set((await seen()).errors)).toEqual(new Set(['Verification']));
  });

  /** A visitor of one of the processes. */
  function visitorOf(index: number, like?: Browser): Browser {
    return new Browser((request) => passedOn(request, site.ports[index % 2]), { origin }, like?.cookies.clone());
  }

  /** A copy of a browser. With an odd index, its requests reach the second process. */
  function copyOf(browser: Browser, index: number): Browser {
    return visitorOf(index, browser);
  }

  /** Adds up the mails and the log of the processes so far. */
  async function seen(): Promise<Seen> {
    const all: Seen[] = [];
    for (const port of new Set(site.ports)) all.push(await (await fetch(`http://127.0.0.1:${port}${SEEN}`)).json());
    return {
      mails: all.flatMap(({ mails }) => mails),
      judged: all.reduce((sum, { judged }) => sum + judged, 0),
      errors: all.flatMap(({ errors }) => errors),
    };
  }

  async function mailsTo(address: string): Promise<Seen['mails']> {
    return (await seen()).mails.filter(({ identifier }) => identifier === address);
  }
});

/** Another code than that of the mail. */
function otherThan(code: string, index = 0): string {
  return String((Number(code) + 1 + index) % 1e8).padStart(8, '0');
}

function startsSession({ setCookies }: Page): boolean {
  return setCookies.some(({ name, value }) => name === 'authjs.session-token' && value !== '');
}

/** Sends a request to the process of a port, like a load balancer. `fetch` would replace `Sec-Fetch-Mode`. */
async function passedOn(asked: Request, port: number | undefined): Promise<Response> {
  const { pathname, search } = new URL(asked.url);
  const headers = Object.fromEntries(asked.headers);
  const sent = request({ host: '127.0.0.1', port, path: pathname + search, method: asked.method, headers });
  sent.end(await asked.text());
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  const lines = Object.entries(answer.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  return new Response(await text(answer), { status: answer.statusCode ?? 0, headers: lines });
}
