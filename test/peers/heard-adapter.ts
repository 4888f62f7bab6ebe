import { type MemoryStore, memoryAdapter } from '@latchkey/testing';

/** Hears of every call of a method. */
export type Witness = (method: string, args: readonly unknown[]) => void;

/** Returns a memory adapter with only the methods of Auth.js v5, so that either library can use it. */
export function heardAdapter(witness: Witness = () => undefined): {
  adapter: Record<string, unknown>;
  store: MemoryStore;
} {
  const { store, ...whole } = memoryAdapter({ optional: false });
  const own = new Set(['calls', 'dump', 'fail']);
  const adapter: Record<string, unknown> = {};
  for (const [name, method] of Object.entries(whole).filter(([member]) => !own.has(member))) {
    adapter[name] = (...args: unknown[]): unknown => {
      witness(name, args);
      return (method as (...args: unknown[]) => unknown)(...args);
    };
  }
  return { adapter, store };
}
