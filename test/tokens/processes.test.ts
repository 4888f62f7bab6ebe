import { describe, expect, it, type TestContext } from 'vitest';
import { newFolder } from '../../packages/adapter-sql/test/engines/engines.ts';
import { available, mariadb, postgres, redis } from '../services/index.ts';
import type { Result } from './process.ts';
import { type Place, type Site, startSite } from './processes.ts';

const sqlite = async (): Promise<Place> => {
  const folder = newFolder();
  return { kind: 'SQLite', url: folder.path('auth.db'), drop: folder.remove };
};

const places: Readonly<Record<string, { readonly isAvailable: boolean; open(): Promise<Place> }>> = {
  SQLite: { isAvailable: true, open: sqlite },
  MariaDB: {
    isAvailable: await available('mariadb'),
    open: async () => {
      const fresh = await (await mariadb()).fresh();
      return { kind: 'MariaDB', url: fresh.url, drop: () => fresh.drop() };
    },
  },
  PostgreSQL: {
    isAvailable: await available('postgres'),
    open: async () => {
      const fresh = await (await postgres()).fresh();
      return { kind: 'PostgreSQL', url: fresh.url, drop: () => fresh.drop() };
    },
  },
  Redis: {
    isAvailable: await available('redis'),
    open: async () => {
      const fresh = await (await redis()).fresh();
      return { kind: 'Redis', url: `${fresh.url}#${fresh.prefix}`, drop: () => fresh.drop() };
    },
  },
};

/** The context of a test that runs beside others of its file. */
type InTest = Pick<TestContext, 'onTestFinished'>;

async function open(place: Promise<Place>, test: InTest): Promise<Site> {
  const site = await startSite(await place);
  test.onTestFinished(() => site.close());
  return site;
}

function tokensIn(results: readonly Result[]): Set<string> {
  return new Set(results.map((result) => ('token' in result ? result.token : `failed: ${result.code}`)));
}

describe.each(Object.entries(places).filter(([, { isAvailable }]) => isAvailable))(
  'three processes on %s',
  (_, place) => {
    it('refresh an expired token once for 600 calls, although their clocks differ by ten minutes', async (test) => {
      const { start, entry, refreshes } = await open(place.open(), test);
      const { version } = await entry();
      const members = [await start(-600_000), await start(), await start(600_000)];
      const results = (await Promise.all(members.map((member) => member.send({ calls: 200 })))).flat();
      expect(results).toHaveLength(600);
      expect([...tokensIn(results)]).toEqual([expect.not.stringContaining('failed')]);
      expect(refreshes()).toBe(1);
      expect((await entry()).version).toBe(version + 1);
    });

    it('use the tokens of a sign-in during a refresh', async (test) => {
      const { start, signIn, refreshes } = await open(place.open(), test);
      const members = [await start(), await start()];
      const running = Promise.all(members.map((member) => member.send({ calls: 50 })));
      const [results] = await Promise.all([running, signIn()]);
      expect([...tokensIn(results.flat())].filter((token) => token.startsWith('failed'))).toEqual([]);
      expect(refreshes()).toBeLessThanOrEqual(1);
      const after = await members[0]?.send({ calls: 10 });
      expect([...tokensIn(after ?? [])]).toEqual([expect.not.stringContaining('failed')]);
    });
  },
);

// Two of them wait until a lease ends, so they run at the same time.
describe.each(Object.entries(places).filter(([, { isAvailable }]) => isAvailable))(
  'a process that is killed while it refreshes, on %s',
  (_, place) => {
    it.concurrent.for([
      ['before the request', 'lease', { code: undefined, refreshes: 1 }],
      ['during the request', 'request', { code: undefined, refreshes: 1 }],
      ['after the answer: the provider has rotated the refresh token', 'answer', { code: 'revoked', refreshes: 2 }],
      ['after the write', 'write', { code: undefined, refreshes: 1 }],
    ] as const)('%s', async ([, die, expected], test) => {
      const { start, entry, refreshes } = await open(place.open(), test);
      const { version } = await entry();
      const [victim, other] = [await start(), await start()];
      expect(await victim.kill(die)).toEqual([null, 'SIGKILL']);
      expect((await entry()).version).toBe(die === 'write' ? version + 1 : version);
      const results = await other.send({ calls: 20 });
      if (expected.code) expect(results).toEqual(results.map(() => ({ code: expected.code })));
      else expect([...tokensIn(results)]).toEqual([expect.not.stringContaining('failed')]);
      expect(refreshes()).toBe(expected.refreshes);
      expect((await entry()).version).toBe(version + 1);
    });
  },
);
