import { memoryAdapter } from '@latchkey/testing';
import type { Adapter, AdapterAccount, AdapterSession, AdapterUser } from '../../src/types/adapter.ts';

const implemented = [
  'createUser',
  'getUser',
  'getUserByEmail',
  'getUserByAccount',
  'updateUser',
  'deleteUser',
  'linkAccount',
  'updateAccount',
  'createSession',
  'getSessionAndUser',
  'updateSession',
  'deleteSession',
] as const satisfies readonly (keyof Adapter)[];

type Method = (typeof implemented)[number];

/** A store in memory without verification tokens and passkeys, which records its calls and fails on demand. */
export interface MemoryStore {
  readonly adapter: Adapter;
  readonly users: Map<string, AdapterUser>;
  readonly accounts: Map<string, AdapterAccount>;
  readonly sessions: Map<string, AdapterSession>;
  readonly calls: [method: Method, ...args: unknown[]][];
  /** The method that fails next, before or after it has written. */
  readonly faults: Partial<Record<Method, 'before' | 'after'>>;
  names(): Method[];
}

export function memoryStore(without: readonly Method[] = []): MemoryStore {
  // Other visitors get their turn at each call, as with a real store.
  const inner = memoryAdapter({ latency: () => new Promise((resolve) => setImmediate(resolve)) });
  const calls: MemoryStore['calls'] = [];
  const faults: MemoryStore['faults'] = {};
  const recorded =
    (name: Method) =>
    async (...args: unknown[]) => {
      calls.push([name, ...structuredClone(args)]);
      const fault = faults[name];
      delete faults[name];
      if (fault) inner.fail(name, fault);
      return (inner[name] as (...args: unknown[]) => unknown)(...args);
    };
  const names = implemented.filter((name) => !without.includes(name));
  const { users, accounts, sessions } = inner.store;
  return {
    adapter: Object.fromEntries(names.map((name) => [name, recorded(name)])),
    users,
    accounts,
    sessions,
    calls,
    faults,
    names: () => calls.map(([name]) => name),
  };
}
