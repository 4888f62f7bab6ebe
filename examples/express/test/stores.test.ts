import { Browser } from '@latchkey/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { available, mariadb, postgres, startable, startRedis } from '../../../test/services/index.ts';
import { Problem } from '../../shared/port.ts';
import { openStore } from '../store.ts';
import { type Demo, freePort, runDemo, startDemo, testFolder } from './demo.ts';

const hasPostgres = await available('postgres');
const names = { postgres: 'PostgreSQL', mariadb: 'MySQL or MariaDB', redis: 'Redis' };

async function signIn(browser: Browser): Promise<void> {
  const first = browser.form(await browser.get('/auth/signin'), (form) => form.value('identifier') !== undefined);
  const second = await browser.submit(first, { identifier: 'demo' });
  await browser.submit(browser.form(second, 'callback/credentials'), { password: 'password' });
}

const who = async (browser: Browser): Promise<unknown> => (await browser.get('/auth/session')).json();

/** Returns the URL of an empty database. Each test has its own Redis, because the demo uses a fixed key prefix. */
async function empty(kind: keyof typeof names): Promise<string> {
  if (kind === 'redis') {
    const server = await startRedis();
    onTestFinished(() => server.stop());
    return server.url;
  }
  const fresh = await (await { postgres, mariadb }[kind]()).fresh();
  onTestFinished(() => fresh.drop());
  return fresh.url;
}

/** Returns the message that the demo prints for a URL that it refuses. */
async function refusalOf(address: string): Promise<string> {
  const refusal = await openStore(address, testFolder()).catch((reason: unknown) => reason);
  expect(refusal).toBeInstanceOf(Problem);
  return (refusal as Problem).message;
}

const has = {
  postgres: await available('postgres'),
  mariadb: await available('mariadb'),
  redis: await startable('redis'),
};

describe('the demo with DATABASE_URL', () => {
  it.each((['postgres', 'mariadb', 'redis'] as const).filter((kind) => has[kind]))(
    'keeps users and sessions in %s, over a restart, until the sign-out',
    async (kind) => {
      const [port, path, DATABASE_URL] = [await freePort(), testFolder(), await empty(kind)];
      const start = async (): Promise<Demo> => {
        const demo = await startDemo(port, path, { DATABASE_URL });
        onTestFinished(async () => void (await demo.stop('SIGKILL')));
        return demo;
      };
      const first = await start();
      expect(first.output()).toContain(`Kept in ${names[kind]}.`);
      const browser = new Browser(fetch, { origin: first.origin });
      await browser.post('/sessions', { sessions: 'database' });
      await signIn(browser);
      expect(await who(browser)).toMatchObject({ user: { email: 'demo@example.com' } });
      expect((await browser.get('/')).text()).toContain(
        kind === 'redis' ? 'Kept in Redis' : 'which has 1 row of this user',
      );
      expect(await first.stop()).toBe(0);

      await start();
      expect(await who(browser)).toMatchObject({ user: { email: 'demo@example.com' } });
      const copy = browser.clone();
      const { csrfToken } = (await browser.get('/auth/csrf')).json<{ csrfToken: string }>();
      await browser.post('/auth/signout', { csrfToken });
      expect([await who(browser), await who(copy)]).toEqual([null, null]);
    },
  );

  it.each(['file:./dev.db', 'postgres', 'mssql://localhost', 'http://localhost'])(
    'refuses %s as the address of a database',
    async (address) => {
      const problem = await refusalOf(address);
      expect(problem).toMatch(/^DATABASE_URL must begin with .+$/);
    },
  );

  it.each(['postgres', 'mysql', 'redis'])('reports that no %s answers, without the password', async (scheme) => {
    const problem = await refusalOf(`${scheme}://demo:pass-word@127.0.0.1:${await freePort()}/none`);
    expect(problem).toMatch(/^The database of DATABASE_URL does not answer at .+$/);
    expect(problem).not.toContain('pass-word');
  });

  it('ends with one line if no database answers, without the password', async () => {
    const address = `postgres://demo:pass-word@127.0.0.1:${await freePort()}/none`;
    const env = { DATABASE_URL: address, DATA_DIR: testFolder(), PORT: String(await freePort()) };
    const { code, output } = await runDemo(env);
    expect([code, output]).toEqual([
      1,
      expect.stringMatching(/^The database of DATABASE_URL does not answer at .+\n$/),
    ]);
    expect(output).not.toContain('pass-word');
  });

  it.skipIf(!hasPostgres)('reports in one line that a database does not exist', async () => {
    const DATABASE_URL = new URL('/none_of_this_name', (await postgres()).url).href;
    const { code, output } = await runDemo({ DATABASE_URL, DATA_DIR: testFolder(), PORT: String(await freePort()) });
    expect([code, output]).toEqual([1, expect.stringMatching(/ has no such database: .+\n$/)]);
  });
});
