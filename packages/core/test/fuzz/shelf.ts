import { type MemoryStore, memoryAdapter } from '@latchkey/testing';
import type { Adapter } from '../../src/types/adapter.ts';
import { BOB, CAROL, NOW } from './marks.ts';

/** A snapshot of a store. */
export type Rows = MemoryStore;

/** Answers in place of the store's method, which `right` asks. */
export type Instead = (method: keyof Adapter, right: () => Promise<unknown>) => Promise<unknown>;

/** A store in memory that is put back to what it held before. */
export interface Shelf {
  /** The same object for ever, so that settings made with it stay. */
  readonly adapter: Adapter;
  /** The current rows. */
  readonly rows: Rows;
  /** Calls since it was put back. */
  names(): (keyof Adapter)[];
  /** A copy of what it holds. */
  copy(): Rows;
  putBack(rows: Rows): void;
  /** Lets something else answer; `undefined` ends that. */
  answerInstead(instead: Instead | undefined): void;
}

/**
 * @param optional Whether the adapter has the optional methods.
 */
export function shelf(optional: boolean): Shelf {
  const memory = memoryAdapter({ optional: optional as true, now: () => NOW });
  const { store } = memory;
  const calls = memory.calls as unknown[];
  const state: { held: Rows | undefined; instead: Instead | undefined } = { held: undefined, instead: undefined };
  store.users.set('bob', { id: 'bob', email: BOB, emailVerified: NOW, name: 'Bob' });
  store.users.set('carol', { id: 'carol', email: CAROL, emailVerified: NOW, name: 'Carol' });
  const methods = Object.entries(memory).filter(([, value]) => typeof value === 'function');
  const adapter = Object.fromEntries(
    methods.map(([method, work]) => [
      method,
      async (...args: unknown[]) => {
        const right = async (): Promise<unknown> => (work as (...args: unknown[]) => unknown)(...args);
        return state.instead ? state.instead(method as keyof Adapter, right) : right();
      },
    ]),
  ) as unknown as Adapter;
  return {
    adapter,
    rows: store,
    names: () => memory.calls.map(({ method }) => method),
    copy: () => structuredClone(store),
    putBack(rows) {
      if (state.held === rows && calls.length === 0) return;
      for (const [name, map] of Object.entries(structuredClone(rows)) as [keyof Rows, Map<string, never>][]) {
        store[name].clear();
        for (const [key, row] of map) store[name].set(key, row);
      }
      calls.length = 0;
      state.held = rows;
    },
    answerInstead: (instead) => {
      state.instead = instead;
    },
  };
}
