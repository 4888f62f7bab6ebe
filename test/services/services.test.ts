import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  available,
  type Fresh,
  type Kind,
  mariadb,
  type OwnServer,
  postgres,
  redis,
  type StartOptions,
  startable,
  startMariadb,
  startPostgres,
  startRedis,
} from './index.ts';
import { segments, segmentsOf } from './memory.ts';
import { isListening } from './reach.ts';
import { makeScratch } from './scratch.ts';
import { talk } from './talk.ts';

const shared = { postgres, mariadb, redis };
const starts: Record<Kind, (options?: StartOptions) => Promise<OwnServer>> = {
  postgres: startPostgres,
  mariadb: startMariadb,
  redis: (options) => startRedis({ persistent: true, ...options }),
};
/** A setting, a value that is not the usual one, and one that the server refuses. */
const setting = {
  postgres: { name: 'max_connections', value: '7', wrong: 'many' },
  mariadb: { name: 'lower_case_table_names', value: '1', wrong: 'on-sundays' },
  redis: { name: 'maxclients', value: '77', wrong: 'many' },
};
const limit = { timeout: 120_000 };

for (const kind of ['postgres', 'mariadb', 'redis'] as const) {
  const { put, get, setting: settingOf } = talk[kind];

  describe.skipIf(!(await available(kind)))(`${kind}, shared`, limit, () => {
    it('creates independent databases or prefixes', async () => {
      const server = await shared[kind]();
      const [one, two] = [await kept(server.fresh()), await kept(server.fresh())];
      await put(one, 'first');
      await put(two, 'second');
      expect([await get(one), await get(two)]).toEqual([['first'], ['second']]);
    });

    it('removes one of them and leaves the others', async () => {
      const server = await shared[kind]();
      const [one, two] = [await kept(server.fresh()), await kept(server.fresh())];
      await put(one, 'first');
      await put(two, 'second');
      await one.drop();
      if (kind === 'redis') expect(await get(one)).toEqual([]);
      if (kind === 'postgres') await expect(get(one)).rejects.toThrow('does not exist');
      expect(await get(two)).toEqual(['second']);
      await one.drop();
    });

    it('is the same server at each call', async () => {
      const [one, two] = await Promise.all([shared[kind](), shared[kind]()]);
      expect(two).toBe(one);
    });
  });

  describe.skipIf(!(await startable(kind)))(`${kind}, started`, limit, () => {
    const { name, value, wrong } = setting[kind];
    const held: { server?: OwnServer } = {};
    const server = (): OwnServer => held.server as OwnServer;
    // The tests share one server, because a start takes seconds.
    beforeAll(async () => {
      held.server = await starts[kind]({ settings: { [name]: value } });
    });
    afterAll(() => held.server?.stop());

    it('comes back after a kill, at the same address, with its data and its settings', async () => {
      expect(await settingOf(server().url, name)).toBe(value);
      const place = await server().fresh();
      await put(place, 'before');
      await server().kill();
      expect(await isListening(server().url)).toBe(false);
      await server().kill();
      await server().start();
      expect(await settingOf(server().url, name)).toBe(value);
      expect(await get(place)).toEqual(['before']);
      await server().kill();
      await server().start();
      await put(place, 'after');
      expect(await get(place)).toEqual(['before', 'after']);
    });

    it('leaves no process, folder or shared memory behind', async () => {
      const scratch = scratchForServers();
      const [living, dead] = [await started(kind), await started(kind)];
      expect(readdirSync(scratch)).toHaveLength(2);
      await dead.kill();
      const memory = segmentsOf(scratch);
      expect(memory).toHaveLength(kind === 'postgres' ? 2 : 0);
      await Promise.all([living.stop(), dead.stop()]);
      expect(readdirSync(scratch)).toEqual([]);
      expect(segments().filter((segment) => memory.includes(segment))).toEqual([]);
      expect([await isListening(living.url), await isListening(dead.url)]).toEqual([false, false]);
      await living.stop();
    });

    it('reports the output of a server that does not start, and leaves nothing behind', async () => {
      const scratch = scratchForServers();
      const message = new RegExp(`did not start:[^]*${name.replaceAll('_', '.')}`);
      await expect(starts[kind]({ settings: { [name]: wrong } })).rejects.toThrow(message);
      expect(readdirSync(scratch)).toEqual([]);
    });

    it('refuses to start while it runs, and after it was stopped', async () => {
      await expect(server().start()).rejects.toThrow('runs already');
      expect(await isListening(server().url)).toBe(true);
      await server().stop();
      await expect(server().start()).rejects.toThrow('start a new one');
    });
  });
}

for (const kind of ['postgres', 'mariadb'] as const) {
  it.skipIf(!(await available(kind)))(`${kind} ends the connections of a database that is dropped`, limit, async () => {
    const place = await (await shared[kind]()).fresh();
    await talk[kind].put(place, 'value');
    const { broken } = await talk[kind].hold(place);
    await place.drop();
    await broken;
    if (kind === 'postgres') await expect(talk[kind].get(place)).rejects.toThrow('does not exist');
  });
}

it.skipIf(!(await available('mariadb')))('mariadb keeps its databases until the run is over', limit, async () => {
  const server = await mariadb();
  const place = await kept(server.fresh());
  await talk.mariadb.put(place, 'value');
  await place.drop();
  expect(await talk.mariadb.get(place)).toEqual(['value']);
  vi.stubEnv('LATCHKEY_TEST_RUN', '');
  onTestFinished(() => void vi.unstubAllEnvs());
  const alone = await server.fresh();
  await alone.drop();
  await expect(talk.mariadb.get(alone)).rejects.toThrow('Unknown database');
});

it.skipIf(!(await startable('postgres')))('postgres creates databases while it is read-only', limit, async () => {
  const server = await started('postgres', { settings: { default_transaction_read_only: 'on' } });
  const place = await server.fresh();
  await expect(talk.postgres.put(place, 'value')).rejects.toThrow('read-only');
  await place.drop();
});

it.skipIf(!(await startable('redis')))(
  'redis loses its data when it is killed, unless it is persistent',
  limit,
  async () => {
    const server = await startRedis();
    onTestFinished(() => server.stop());
    const place = await server.fresh();
    await talk.redis.put(place, 'value');
    await server.kill();
    await server.start();
    expect(await talk.redis.get(place)).toEqual([]);
  },
);

async function kept<F extends Fresh>(fresh: Promise<F>): Promise<F> {
  const place = await fresh;
  onTestFinished(() => place.drop());
  return place;
}

async function started(kind: Kind, options?: StartOptions): Promise<OwnServer> {
  const server = await starts[kind](options);
  onTestFinished(() => server.stop());
  return server;
}

/** Sets the folder in which the test's servers make theirs. */
function scratchForServers(): string {
  const scratch = makeScratch();
  vi.stubEnv('TMPDIR', scratch);
  onTestFinished(() => void vi.unstubAllEnvs());
  return scratch;
}
