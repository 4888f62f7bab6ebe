import type { VaultEntry } from '@latchkey/core/types';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Fresh } from '../../../../test/services/index.ts';
import { SqlTokenVault } from '../../src/index.ts';
import { type Line, lineTo } from './line.ts';
import { kinds } from './places.ts';
import { type Pool, poolOf } from './pools.ts';

const entry: VaultEntry = {
  provider: 'google',
  providerAccountId: 'ada',
  userId: 'ada',
  version: 1_099_511_627_770,
  sealed: 'sealed',
  expires: null,
};
const next = { ...entry, version: entry.version + 1, sealed: 'next' };

/** A step whose answer is lost. */
interface Step {
  run(vault: SqlTokenVault): Promise<unknown>;
  /** Whether the step has been done, as another process sees it. */
  isDone(vault: SqlTokenVault): Promise<boolean>;
  /** The result of the repeated step. */
  readonly repeated: unknown;
}

const steps: Readonly<Record<string, Step>> = {
  'a first write': {
    run: (vault) => vault.write(entry, null),
    isDone: async (vault) => (await vault.read(entry)) !== null,
    repeated: false,
  },
  lease: {
    run: (vault) => vault.lease(entry, entry.version, 'one', 15),
    isDone: async (vault) => !(await vault.lease(entry, entry.version, 'two', 0)),
    repeated: true,
  },
  'write over an entry': {
    run: (vault) => vault.write(next, entry.version),
    isDone: async (vault) => (await vault.read(entry))?.version === next.version,
    repeated: false,
  },
  remove: {
    run: (vault) => vault.remove(entry),
    isDone: async (vault) => (await vault.read(entry)) === null,
    repeated: undefined,
  },
};

describe.each(kinds.filter(({ isAvailable }) => isAvailable))('lost answers of a token vault on $name', (kind) => {
  let fresh: Fresh;
  let line: Line;
  let direct: Pool;
  let pool: Pool;

  beforeAll(async () => {
    fresh = await (await kind.shared()).fresh();
    line = await lineTo(fresh.url);
    direct = poolOf(kind.name, fresh.url);
    await SqlTokenVault(direct.db).cleanup();
  });
  beforeEach(async () => {
    pool = poolOf(kind.name, line.url, { size: 1 });
    await SqlTokenVault(direct.db).remove(entry);
  });
  afterEach(() => pool.close());
  afterAll(async () => {
    await direct?.close();
    await line?.close();
    await fresh?.drop();
  });

  it.each(Object.entries(steps))(
    '%s: the step is done, and may be repeated',
    async (name, { run, isDone, repeated }) => {
      const [vault, other] = [SqlTokenVault(pool.db, { migrate: false }), SqlTokenVault(direct.db)];
      if (name !== 'a first write') await other.write(entry, null);
      // Connecting and preparing take several exchanges, before that of the step.
      for (let n = 0; !(await isDone(other)); n++) {
        expect(n).toBeLessThan(20);
        line.breaksAt(n, 'answer');
        await expect(run(vault)).rejects.toThrow();
        line.mend();
      }
      const before = await other.read(entry);
      expect(await run(vault)).toBe(repeated);
      expect(await other.read(entry)).toEqual(before);
      expect(await isDone(other)).toBe(true);
    },
  );
});
