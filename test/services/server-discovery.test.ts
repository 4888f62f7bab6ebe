import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { canFind } from './available.ts';
import type { OwnServer } from './engine.ts';
import { type FreshPrefix, type Kind, ServiceMissing, startable } from './index.ts';
import { mariadbEngine } from './mariadb.ts';
import { recipeFor } from './missing.ts';
import { freshName, isOfRun, isStale } from './names.ts';
import { startOwn } from './own.ts';
import { freePort } from './port.ts';
import { postgresEngine } from './postgres.ts';
import { isListening } from './reach.ts';
import { redisEngine } from './redis.ts';
import { find } from './shared.ts';
import { talk } from './talk.ts';
import { sweep } from './whole-run.ts';

const here: Kind[] = [];
for (const kind of ['postgres', 'mariadb', 'redis'] as const) if (await startable(kind)) here.push(kind);
const limit = { timeout: 120_000 };
const now = new Date();
const before = (minutes: number): Date => new Date(now.getTime() - minutes * 60_000);

describe.skipIf(!here.includes('redis'))('a search for a server', limit, () => {
  const engine = redisEngine;

  it('finds the one that the variable names', async () => {
    const server = await own('redis');
    expect((await find(engine, { TEST_REDIS_URL: server.url })).url).toBe(server.url);
  });

  it('fails if that one does not answer', async () => {
    const url = engine.url(await freePort());
    await expect(find(engine, { TEST_REDIS_URL: url })).rejects.toThrow('TEST_REDIS_URL names a Redis that does not');
    await expect(find(engine, { TEST_REDIS_URL: 'here' })).rejects.toThrow(
      'TEST_REDIS_URL names a Redis that does not',
    );
  });

  it('without a variable, finds the one at the usual port', async () => {
    const server = await own('redis');
    const standardPort = Number(new URL(server.url).port);
    expect((await find({ ...engine, standardPort }, {})).url).toBe(server.url);
    expect((await find({ ...engine, standardPort }, { TEST_REDIS_URL: '' })).url).toBe(server.url);
  });

  it('starts one if none runs', async () => {
    const standardPort = await freePort();
    const server = (await find({ ...engine, standardPort }, {})) as OwnServer<FreshPrefix>;
    onTestFinished(() => server.stop());
    expect(server.url).not.toBe(engine.url(standardPort));
    expect(await isListening(server.url)).toBe(true);
  });
});

describe('a missing server', () => {
  const engine = { ...redisEngine, debian: 'some-package', recipe: () => undefined };

  it('is an error that names the remedies', async () => {
    const lost = { ...engine, standardPort: await freePort() };
    const error = await find(lost, {}).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ServiceMissing);
    expect(error).toMatchObject({ kind: 'redis', message: expect.stringContaining('apt-get install some-package') });
    expect(error).toMatchObject({ message: expect.stringContaining(`redis://127.0.0.1:${lost.standardPort}`) });
    expect(error).toMatchObject({ message: expect.stringContaining('TEST_REDIS_URL') });
    await expect(startOwn(engine, {})).rejects.toThrow(ServiceMissing);
  });

  it('skips tests with a message, and fails them under CI=true', async () => {
    const said = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    onTestFinished(() => said.mockRestore());
    const missing = async (): Promise<unknown> => recipeFor(engine);
    expect(await canFind(missing, {})).toBe(false);
    expect(said).toHaveBeenLastCalledWith(expect.stringMatching(/tests are skipped: no Redis/));
    await expect(canFind(missing, { CI: 'true' })).rejects.toThrow(ServiceMissing);
  });

  it('is not reported for another failure', async () => {
    const failing = (): Promise<never> => Promise.reject(new TypeError('no'));
    await expect(canFind(failing, {})).rejects.toThrow(TypeError);
    expect(await canFind(async () => 'a server', { CI: 'true' })).toBe(true);
  });
});

describe('a database or key that a run left behind', limit, () => {
  it.each([
    [freshName(before(61)), true],
    [freshName(before(59)), false],
    [freshName(now), false],
    [`${freshName(before(61))}x`, false],
    ['lk_production_0123456789ab', false],
    ['lk_old_0123456789ab', false],
    ['lk_users', false],
    ['postgres', false],
  ])('%s: %s', (name, stale) => {
    expect(isStale(name, now)).toBe(stale);
  });

  for (const kind of here) {
    it(`is removed from ${kind} before the next run or after its own run, and others stay`, async () => {
      const { url } = await own(kind);
      const engine = engines[kind] as typeof postgresEngine;
      const [old, young, mine] = [freshName(before(90)), freshName(before(30)), freshName(now, 'abcdef')];
      for (const name of [old, young, mine, 'lk_mine']) await talk[kind].make(url, name);
      await sweep(engine, (name) => isStale(name, now), url);
      expect(await talk[kind].names(url)).toEqual(expect.arrayContaining([young, mine, 'lk_mine']));
      expect(await talk[kind].names(url)).not.toContain(old);
      await sweep(engine, (name) => isOfRun(name, 'abcdef'), url);
      expect(await talk[kind].names(url)).toEqual(expect.arrayContaining([young, 'lk_mine']));
      expect(await talk[kind].names(url)).not.toContain(mine);
    });
  }

  it('is recognized by its name', () => {
    const [name, other] = [freshName(now, 'abcdef'), freshName(now, '012345')];
    expect([isOfRun(name, 'abcdef'), isOfRun(other, 'abcdef')]).toEqual([true, false]);
    expect([isOfRun(name, ''), isOfRun('lk_mine', 'abcdef'), isOfRun(`${name}x`, 'abcdef')]).toEqual([
      false,
      false,
      false,
    ]);
  });

  it('has a unique name', () => {
    const names = Array.from({ length: 1000 }, () => freshName(now));
    expect(new Set(names).size).toBe(1000);
  });
});

const engines = { postgres: postgresEngine, mariadb: mariadbEngine, redis: redisEngine };

async function own(kind: Kind): Promise<OwnServer> {
  const server = await startOwn(engines[kind] as typeof postgresEngine, {});
  onTestFinished(() => server.stop());
  return server;
}
