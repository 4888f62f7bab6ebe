import type { Adapter, AdapterMethod, UserFieldDefinitions, WithUserFields } from '@latchkey/core/adapters';
import type { Awaitable } from '@latchkey/core/types';
import { type AdapterFault, FaultQueue } from './fault-queue.ts';
import {
  type ContractMethod,
  contractMethods,
  type OptionalMethod,
  optionalMethods,
} from './memory-adapter/methods.ts';
import { dumpOf, emptyStore, type MemoryDump, type MemoryStore } from './memory-adapter/store.ts';
import { userCheck } from './memory-adapter/user-fields.ts';

export type { ContractMethod, MemoryDump, MemoryStore, OptionalMethod };

/** Options of {@link memoryAdapter}. */
export interface MemoryAdapterOptions<F extends UserFieldDefinitions = UserFieldDefinitions> {
  /** Whether the adapter has the methods that Latchkey adds to the methods of Auth.js v5. Default: `true`. */
  optional?: boolean | undefined;
  /** Returns the current instant for `cleanup` and `spendOnce`. Default: the system's clock. */
  now?: (() => Date) | undefined;
  /** Awaited by each call before it reads or writes, so that calls interleave. Default: one microtask. */
  latency?: (() => Awaitable<void>) | undefined;
  /**
   * The application's own members of users, with their kinds. The adapter then checks these members, and does not store
   * others. A `column` has no effect. Default: each member is stored.
   */
  userFields?: F | undefined;
}

/** The members by which a test inspects and controls a memory adapter. */
export interface Inspection {
  /** Its rows, live. */
  readonly store: MemoryStore;
  /** The calls so far, with copies of their arguments. */
  readonly calls: readonly AdapterCall[];
  /** Returns a copy of its rows. */
  dump(): MemoryDump;
  /**
   * Makes the next call of a method reject, before it writes or after. Several faults of one method apply in order.
   *
   * ```ts
   * adapter.fail('linkAccount', 'after');
   * ```
   *
   * @param fault Default: `before`, with an error that names the method.
   */
  fail(method: AdapterMethod, fault?: AdapterFault | Error | 'before' | 'after'): void;
}

/** A call of a memory adapter. */
export interface AdapterCall {
  /** Name of the called method. */
  readonly method: AdapterMethod;
  /** The arguments of the call, as they were passed. */
  readonly args: readonly unknown[];
}

type Methods<Name extends AdapterMethod> = {
  [K in Name]-?: (...args: Parameters<NonNullable<Adapter[K]>>) => Promise<Answer<ReturnType<NonNullable<Adapter[K]>>>>;
};

/** The result of a method. Where the interface allows a row or `void`, this adapter always returns the row. */
type Answer<Result> = Awaited<Result> extends void ? void : Exclude<Awaited<Result>, void>;

/** An adapter in memory that only has the methods of Auth.js v5. */
export type ContractMemoryAdapter = Methods<ContractMethod> & Inspection;

/** An adapter in memory. */
export type MemoryAdapter = Methods<ContractMethod | OptionalMethod> & Inspection;

/**
 * Makes an adapter in memory, for tests. Users are unique by address; accounts, sessions and tokens by their keys. Rows
 * of a user require that the user exists, and are deleted with the user. Each method is atomic. Arguments and results
 * are copied.
 *
 * ```ts
 * const adapter = memoryAdapter({ userFields: { role: 'text' } });
 * adapter.fail('linkAccount', 'after');
 * ```
 */
export function memoryAdapter<const F extends UserFieldDefinitions = Record<never, never>>(
  options: MemoryAdapterOptions<F> & { optional: false },
): ContractMemoryAdapter & WithUserFields<F>;
/**
 * Makes an adapter in memory with the optional methods, too.
 *
 * ```ts
 * const adapter = memoryAdapter();
 * await adapter.listAccountsByUserId('user-1'); // []
 * ```
 */
export function memoryAdapter<const F extends UserFieldDefinitions = Record<never, never>>(
  options?: MemoryAdapterOptions<F> & { optional?: true | undefined },
): MemoryAdapter & WithUserFields<F>;
/**
 * Makes an adapter in memory, with options that are known only at run time. Its optional methods may be absent.
 *
 * ```ts
 * const adapter = memoryAdapter({ optional: process.env.OPTIONAL === '1' });
 * ```
 */
export function memoryAdapter<const F extends UserFieldDefinitions = Record<never, never>>(
  options?: MemoryAdapterOptions<F>,
): ContractMemoryAdapter & Partial<MemoryAdapter> & WithUserFields<F>;
export function memoryAdapter(options: MemoryAdapterOptions = {}): ContractMemoryAdapter & Partial<MemoryAdapter> {
  const { optional = true, now = () => new Date(), latency, userFields } = options;
  const store = emptyStore();
  const faults = new FaultQueue();
  const calls: AdapterCall[] = [];
  const check = userCheck(userFields);
  const contract = contractMethods(store, check);
  const methods = optional ? { ...contract, ...optionalMethods(store, check, now) } : contract;

  async function call(method: AdapterMethod, work: Work, args: unknown[]): Promise<unknown> {
    const given = structuredClone(args);
    calls.push({ method, args: structuredClone(args) });
    await latency?.();
    const fault = faults.take(method);
    if (fault?.when === 'before') throw fault.error;
    const result = await work(...given);
    if (fault) throw fault.error;
    return structuredClone(result);
  }

  const adapter: Record<string, unknown> = {
    store,
    calls,
    dump: () => dumpOf(store),
    fail: (method: AdapterMethod, fault: Parameters<Inspection['fail']>[1] = 'before') => faults.add(method, fault),
  };
  for (const [method, work] of Object.entries(methods) as [AdapterMethod, Work][]) {
    adapter[method] = (...args: unknown[]) => call(method, work, args);
  }
  return adapter as unknown as ContractMemoryAdapter & Partial<MemoryAdapter>;
}

type Work = (...args: unknown[]) => unknown;
