import type { Adapter } from '@latchkey/core/adapters';
import type { Awaitable } from '@latchkey/core/types';
import { type ContractMethod, contractMethods, type OptionalMethod } from './memory-adapter/contract.ts';
import { type AdapterFault, FaultQueue } from './memory-adapter/faults.ts';
import { optionalMethods } from './memory-adapter/optional.ts';
import { dumpOf, emptyStore, type MemoryDump, type MemoryStore } from './memory-adapter/store.ts';

export type { AdapterFault, ContractMethod, MemoryDump, MemoryStore, OptionalMethod };

/** Options of {@link memoryAdapter}. */
export interface MemoryAdapterOptions {
  /** Have the methods that Latchkey adds to the contract. Default: `true`. */
  optional?: boolean | undefined;
  /** The instant at which `cleanup` and `spendOnce` judge what has expired. Default: the system's clock. */
  now?: (() => Date) | undefined;
  /** Awaited by each call before it does its work, so that others get their turn. Default: one microtask. */
  latency?: (() => Awaitable<void>) | undefined;
}

/** What tests see of a memory adapter. */
export interface Inspection {
  /** What it holds, live. */
  readonly store: MemoryStore;
  /** The calls so far, with copies of their arguments. */
  readonly calls: readonly AdapterCall[];
  /** A copy of what it holds. */
  dump(): MemoryDump;
  /**
   * Makes the next call of a method throw: before it writes anything, or after. Several faults of one method are met in the
   * order in which they were asked for.
   *
   * @param fault Default: `before`, with an error that names the method.
   */
  fail(method: keyof Adapter, fault?: AdapterFault | Error | 'before' | 'after'): void;
}

/** A call of a memory adapter. */
export interface AdapterCall {
  readonly method: keyof Adapter;
  readonly args: readonly unknown[];
}

type Methods<Name extends keyof Adapter> = {
  [K in Name]-?: (...args: Parameters<NonNullable<Adapter[K]>>) => Promise<Answer<ReturnType<NonNullable<Adapter[K]>>>>;
};

/** Where an adapter may answer nothing, this one answers. */
type Answer<Result> = Exclude<Awaited<Result>, void>;

/** An adapter that keeps everything in memory, with the contract's methods alone. */
export type ContractMemoryAdapter = Methods<ContractMethod> & Inspection;

/** An adapter that keeps everything in memory. */
export type MemoryAdapter = Methods<ContractMethod | OptionalMethod> & Inspection;

/**
 * An adapter in memory, for tests. Its rules are those of the SQL adapter: users are unique by address, accounts, sessions and
 * tokens by their keys; what belongs to a user needs one and goes with it; each method is atomic. Arguments and results are
 * copied. Unlike the SQL adapter it keeps members that it does not know.
 *
 * ```ts
 * const adapter = memoryAdapter();
 * adapter.fail('linkAccount', 'after');
 * ```
 */
export function memoryAdapter(options: MemoryAdapterOptions & { optional: false }): ContractMemoryAdapter;
export function memoryAdapter(options?: MemoryAdapterOptions & { optional?: true | undefined }): MemoryAdapter;
export function memoryAdapter(options?: MemoryAdapterOptions): ContractMemoryAdapter & Partial<MemoryAdapter>;
export function memoryAdapter(options: MemoryAdapterOptions = {}): ContractMemoryAdapter & Partial<MemoryAdapter> {
  const store = emptyStore();
  const faults = new FaultQueue();
  const calls: AdapterCall[] = [];
  const contract = contractMethods(store);
  const methods =
    options.optional === false
      ? contract
      : { ...contract, ...optionalMethods(store, options.now ?? (() => new Date())) };

  async function call(method: keyof Adapter, work: Work, args: unknown[]): Promise<unknown> {
    const given = structuredClone(args);
    calls.push({ method, args: structuredClone(args) });
    await options.latency?.();
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
    fail: (method: keyof Adapter, fault: Parameters<Inspection['fail']>[1] = 'before') => faults.add(method, fault),
  };
  for (const [method, work] of Object.entries(methods) as [keyof Adapter, Work][]) {
    adapter[method] = (...args: unknown[]) => call(method, work, args);
  }
  return adapter as unknown as ContractMemoryAdapter & Partial<MemoryAdapter>;
}

type Work = (...args: unknown[]) => unknown;
