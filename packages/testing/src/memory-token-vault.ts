import type { Awaitable, TokenVault, VaultEntry, VaultKey } from '@latchkey/core/types';
import { FaultQueue, type RecordFault } from './fault-queue.ts';

/** Options of {@link MemoryTokenVault}. */
export interface MemoryTokenVaultOptions {
  /** Returns the present instant, for leases and `cleanup`. Default: the system's clock. */
  now?: (() => Date) | undefined;
  /** Awaited by each step before it reads or writes, so that steps interleave. Default: one microtask. */
  latency?: (() => Awaitable<void>) | undefined;
}

/** A step of a token vault. */
export type VaultStep = keyof TokenVault;

/** A call of a token vault in memory. */
export interface VaultCall {
  /** Name of the called method. */
  readonly step: VaultStep;
  /** The arguments of the call, as they were passed. */
  readonly args: readonly unknown[];
}

/** A row of a token vault in memory. */
export interface MemoryVaultRow {
  /** The entry, whose tokens are sealed. */
  entry: VaultEntry;
  /** Who has the lease, and until when. */
  lease?: { readonly holder: string; readonly until: Date } | undefined;
}

type Steps = {
  [K in VaultStep]-?: (
    ...args: Parameters<NonNullable<TokenVault[K]>>
  ) => Promise<Awaited<ReturnType<NonNullable<TokenVault[K]>>>>;
};

/** A token vault in memory, and the members by which a test inspects and controls it. */
export interface MemoryTokenVault extends Steps {
  /** Its rows, by key. Live: a test may change them. */
  readonly rows: Map<string, MemoryVaultRow>;
  /** The calls so far, with copies of their arguments. */
  readonly calls: readonly VaultCall[];
  /** Returns a copy of the entries. */
  dump(): VaultEntry[];
  /**
   * Makes the next call of a step reject, before it writes or after, or never answer. Several faults of one step apply
   * in order.
   *
   * ```ts
   * vault.fail('write', { hang: true, times: Number.POSITIVE_INFINITY });
   * ```
   *
   * @param fault Default: `before`, with an error that names the step.
   */
  fail(step: VaultStep, fault?: RecordFault | Error | 'before' | 'after'): void;
  /** Removes all faults: each step works again. */
  recover(): void;
}

/**
 * Makes a token vault in memory, for tests. Each step is atomic. Arguments and results are copied.
 *
 * ```ts
 * const vault = MemoryTokenVault();
 * const app = application({ config: { tokens: { store: vault } } });
 * vault.fail('write', 'after');
 * ```
 */
export function MemoryTokenVault({ now = () => new Date(), latency }: MemoryTokenVaultOptions = {}): MemoryTokenVault {
  const rows = new Map<string, MemoryVaultRow>();
  const faults = new FaultQueue();
  const calls: VaultCall[] = [];
  const steps = stepsOf(rows, now);

  function step<K extends VaultStep>(name: K): Steps[K] {
    async function call(...args: unknown[]): Promise<unknown> {
      const given = structuredClone(args);
      calls.push({ step: name, args: structuredClone(args) });
      await latency?.();
      const fault = faults.take(name);
      if (fault?.when === 'before') return failed(fault);
      const work: (...given: never[]) => unknown = steps[name];
      const result = work(...(given as never[]));
      return fault ? failed(fault) : structuredClone(result);
    }
    return call as Steps[K];
  }

  return {
    read: step('read'),
    find: step('find'),
    lease: step('lease'),
    write: step('write'),
    remove: step('remove'),
    scan: step('scan'),
    cleanup: step('cleanup'),
    rows,
    calls,
    dump: () => structuredClone([...rows.values()].map(({ entry }) => entry)),
    fail: (name, fault = 'before') => faults.add(name, fault),
    recover: () => faults.clear(),
  };
}

async function failed({ error, hang }: { readonly error: Error; readonly hang: boolean }): Promise<never> {
  if (hang) return new Promise(() => {});
  throw error;
}

/** Returns the steps. Each is synchronous, so it is atomic. */
function stepsOf(rows: Map<string, MemoryVaultRow>, clock: () => Date) {
  return {
    read: (key: VaultKey): VaultEntry | null => rows.get(rowKey(key))?.entry ?? null,
    find: (userId: string, provider?: string): readonly VaultEntry[] =>
      entriesOf(rows).filter((entry) => entry.userId === userId && (provider ?? entry.provider) === entry.provider),
    lease: (key: VaultKey, version: number, holder: string, seconds: number): boolean => {
      const row = rows.get(rowKey(key));
      const now = clock().getTime();
      const isHeld = row?.lease && row.lease.holder !== holder && row.lease.until.getTime() > now;
      if (row?.entry.version !== version || isHeld) return false;
      row.lease = seconds > 0 ? { holder, until: new Date(now + seconds * 1000) } : undefined;
      return true;
    },
    write: (entry: VaultEntry, expected: number | null): boolean => {
      const key = rowKey(entry);
      if ((rows.get(key)?.entry.version ?? null) !== expected) return false;
      rows.set(key, { entry });
      return true;
    },
    remove: (key: VaultKey): void => void rows.delete(rowKey(key)),
    scan: (after: VaultKey | null, limit: number): readonly VaultEntry[] =>
      entriesOf(rows)
        .filter((entry) => after === null || rowKey(entry) > rowKey(after))
        .sort((a, b) => (rowKey(a) < rowKey(b) ? -1 : 1))
        .slice(0, limit),
    cleanup: (now: Date = clock()): number => {
      const expired = entriesOf(rows).filter(({ expires }) => expires && expires.getTime() <= now.getTime());
      for (const entry of expired) rows.delete(rowKey(entry));
      return expired.length;
    },
  };
}

function entriesOf(rows: Map<string, MemoryVaultRow>): VaultEntry[] {
  return [...rows.values()].map(({ entry }) => entry);
}

function rowKey({ provider, providerAccountId }: VaultKey): string {
  return JSON.stringify([provider, providerAccountId]);
}
