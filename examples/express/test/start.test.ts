import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Browser, type Page } from '@latchkey/testing';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startDemoProvider } from '../../shared/demo-provider.ts';
import { Problem, readPort, refuseTaken } from '../../shared/port.ts';
import { dataFolder, freePort, runDemo, startDemo, testFolder } from './demo.ts';

async function demo(path = testFolder(), port?: number) {
  const started = await startDemo(port ?? (await freePort()), path);
  onTestFinished(async () => void (await started.stop('SIGKILL')));
  return started;
}

/** Starts a server and returns its port; undefined if the machine has no such address. */
async function taken(host: string): Promise<number | undefined> {
  const server = createServer();
  onTestFinished(() => void server.close());
  return new Promise((resolve) => {
    server.once('error', () => resolve(undefined)); // no IPv6 here
    server.listen(0, host, () => resolve((server.address() as { port: number }).port));
  });
}

/**
 * Starts a demo whose next port is in use. The server on the next port starts first, because other tests take ports at
 * the same time.
 */
async function besideNeighbour(tries = 10): Promise<{ origin: string; port: number }> {
  const port = ((await taken('localhost')) as number) - 1;
  try {
    return { origin: (await demo(testFolder(), port)).origin, port };
  } catch (error) {
    if (tries === 1 || !String(error).includes(`Port ${port} is in use`)) throw error;
    return besideNeighbour(tries - 1);
  }
}

describe('the demo', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'ends at once with %s, though connections are open',
    async (signal) => {
      const { origin, stop } = await demo();
      const socket = connect(Number(new URL(origin).port), 'localhost').on('error', () => undefined);
      await new Promise((resolve) => socket.once('connect', resolve));
      await fetch(origin);
      expect(await stop(signal)).toBe(0);
      await expect(fetch(origin)).rejects.toThrow();
    },
  );

  it('ends with one line if PORT is not a port', async () => {
    const { code, output } = await runDemo({ PORT: 'abc', DATA_DIR: testFolder() });
    expect(code).toBe(1);
    expect(output).toMatch(/^PORT is .+: give it a number from 1 to 65535.*\n$/);
  });

  it.each(['abc', '70000', '0', '-1', '3000.5', '1e3', ' 3000', '0x10'])('refuses PORT=%s', (text) => {
    expect(() => readPort(text)).toThrow(Problem);
    expect(() => readPort(text)).toThrow(/^PORT is .+: give it a number from 1 to 65535.*$/);
  });

  it('ends with one line if its port is in use', async () => {
    const port = (await taken('localhost')) as number;
    const { code, output } = await runDemo({ PORT: String(port), DATA_DIR: testFolder() });
    expect([code, output]).toEqual([1, expect.stringMatching(new RegExp(`^Port ${port} is in use: .+\\n$`))]);
  });

  it.each(['127.0.0.1', '::1', '0.0.0.0', '::', 'localhost'])('sees that its port is in use at %s', async (host) => {
    const port = await taken(host);
    if (port === undefined) return;
    const problem = await refuseTaken(port).catch((reason: unknown) => reason);
    expect(problem).toBeInstanceOf(Problem);
    expect(String(problem)).toContain(`Port ${port} is in use: `);
  });

  it('keeps its secret private, and keeps secret and demo user over a restart', async () => {
    const path = testFolder();
    const first = await demo(path);
    expect(statSync(join(path, 'secret')).mode & 0o777).toBe(0o600);
    const secret = readFileSync(join(path, 'secret'), 'utf8');
    expect(existsSync(join(path, 'demo.sqlite'))).toBe(true);
    expect(secret.length).toBeGreaterThanOrEqual(32);
    await first.stop();
    await (await demo(path)).stop();
    expect(readFileSync(join(path, 'secret'), 'utf8')).toBe(secret);
    const database = new DatabaseSync(join(path, 'demo.sqlite'), { readOnly: true });
    const users = database.prepare('SELECT name, email FROM auth_users').all();
    database.close();
    expect(users).toEqual([{ name: 'Demo User', email: 'demo@example.com' }]);
  });

  it('uses another port for its provider if the next one is in use', async () => {
    const { origin, port } = await besideNeighbour();
    const browser = new Browser(fetch, { origin });
    const page = await browser.get('/auth/signin');
    const { redirect } = await browser.submit(browser.form(page, 'signin/demo'));
    expect(redirect?.hostname).toBe('localhost');
    // Any other port: if another process took its second choice, the system chose one.
    expect([port, port + 1]).not.toContain(Number(redirect?.port));
  });

  it('starts its provider on another port if its port was taken meanwhile', async () => {
    const faster = createServer().listen(0, 'localhost');
    onTestFinished(() => void faster.close());
    await new Promise((resolve) => faster.once('listening', resolve));
    const { port } = faster.address() as { port: number };
    const provider = await startDemoProvider(port, 'http://localhost:3000/callback');
    onTestFinished(() => provider.close());
    expect(Number(new URL(provider.issuer).port)).not.toBe(port);
    expect((await fetch(`${provider.issuer}/.well-known/openid-configuration`)).status).toBe(200);
  });
});

describe('the running demo', () => {
  const running: { demo?: Awaited<ReturnType<typeof startDemo>>; remove?: () => void } = {};
  const origin = (): string => String(running.demo?.origin);
  beforeAll(async () => {
    const { path, remove } = dataFolder();
    running.remove = remove;
    running.demo = await startDemo(await freePort(), path);
  });
  afterAll(async () => {
    await running.demo?.stop('SIGKILL');
    running.remove?.();
  });

  it('prints its URL, and the users who can sign in', async () => {
    const output = String(running.demo?.output());
    expect(output).toContain(`Open  ${origin()}\n`);
    for (const user of ['ada / password', 'grace / password', 'kim / password', 'demo / password']) {
      expect(output).toContain(user);
    }
    expect(output).toContain(`the mail comes to  ${origin()}/inbox\n`);
    expect((await fetch(origin())).status).toBe(200);
  });

  it('has an inbox that is empty at first', async () => {
    const page = await fetch(`${origin()}/inbox`);
    expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'private, no-store']);
    expect(await page.text()).toContain('No mail yet');
    for (const number of ['1', '0', '-1', 'NaN', 'length']) {
      expect((await fetch(`${origin()}/inbox/${number}`)).status).toBe(404);
    }
  });

  it('reads a profile from its provider with an access token, after a sign-in there', async () => {
    const browser = new Browser(fetch, { origin: origin() });
    expect((await browser.get('/profile')).text()).toContain('no access token of the demo provider (signed-out)');
    const form = browser.form(await browser.get('/auth/signin'), 'signin/demo');
    const isBack = ({ redirect }: Page) => redirect?.origin === origin();
    const login = await browser.follow(await browser.submit(form), { until: isBack });
    const answer = await browser.submit(browser.form(login), { login: 'ada', password: 'password' });
    const end = await browser.follow(answer);
    await browser.get(String(end.redirect), { site: 'cross-site' });
    expect((await browser.get('/profile')).text()).toContain('user-ada');
  });

  it('does not let another site switch the session mode', async () => {
    const press = (site: string) =>
      fetch(`${origin()}/sessions`, {
        method: 'POST',
        redirect: 'manual',
        headers: { 'sec-fetch-site': site },
        body: new URLSearchParams({ sessions: 'database' }),
      });
    const own = await press('same-origin');
    expect([own.status, own.headers.get('location')]).toEqual([303, '/#sessions']);
    expect(own.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^demo\.sessions=database;.*; HttpOnly; SameSite=Lax$/),
    ]);
    const foreign = await press('cross-site');
    expect([foreign.status, foreign.headers.getSetCookie()]).toEqual([404, []]);
  });
});
