import { limits } from '../config/defaults.ts';
import type { RateLimitRule, RateLimitStore } from '../types/config.ts';

interface Counter {
  /** Milliseconds since 1970, in ascending order. */
  readonly times: readonly number[];
  /** Milliseconds since 1970 at which the newest of the times expires. */
  readonly expires: number;
  /** Milliseconds for which an attempt counts. */
  readonly window: number;
}

/** Milliseconds between two searches for expired counters. */
const SWEEP = 10_000;

/**
 * Counters in the memory of this process; `limits.rateCounters` at most. If there is no room, expired counters are
 * dropped first. Then the one whose last attempt is the oldest goes, and its attempts are added to {@link Remainders}.
 *
 * So a flood of identifiers makes the process forget no attempt. It can only make other identifiers share a number.
 */
export class MemoryCounters implements RateLimitStore {
  /** By name. The one whose last attempt is the oldest is first. */
  readonly #counters = new Map<string, Counter>();
  readonly #places: number;
  readonly #remainders: Remainders;
  #sweptAt = Number.NEGATIVE_INFINITY;

  /**
   * @param places Number of counters kept. Default: 20,000.
   * @param cells Number of cells for the attempts of all others. Default: 262,144.
   */
  constructor(places: number = limits.rateCounters, cells: number = limits.rateCells) {
    this.#places = places;
    this.#remainders = new Remainders(cells);
  }

  /** Number of counters kept. */
  get size(): number {
    return this.#counters.size;
  }

  take(counter: string, { limit, window, now }: RateLimitRule): Date | null {
    const at = now.getTime();
    const length = window * 1000;
    const times = this.#counters.get(counter)?.times.filter((time) => time > at - length) ?? [];
    const first = times.at(-limit);
    if (times.length >= limit && first !== undefined) return new Date(first + length);
    if (times.length + this.#remainders.count(counter, at) >= limit) return this.#remainders.nextEnd();
    this.#counters.delete(counter);
    if (this.#counters.size >= this.#places) this.#makeRoom(at);
    // Sorted: a request that waited for its body is counted later than one with a later instant.
    const all = [...times, at].sort((a, b) => a - b);
    this.#counters.set(counter, { times: all, expires: at + length, window: length });
    return null;
  }

  release(counter: string, at: Date): void {
    const known = this.#counters.get(counter);
    const index = known?.times.indexOf(at.getTime()) ?? -1;
    // An attempt among the remainders stays: its cell may not be this counter's alone.
    if (!known || index < 0) return;
    const times = known.times.toSpliced(index, 1);
    if (times.length > 0) this.#counters.set(counter, { ...known, times });
    else this.#counters.delete(counter);
  }

  /** Drops all counters. */
  clear(): void {
    this.#counters.clear();
    this.#remainders.clear();
    this.#sweptAt = Number.NEGATIVE_INFINITY;
  }

  /** The search takes a millisecond or two, so that it must not happen with each request of a flood. */
  #makeRoom(now: number): void {
    if (Math.abs(now - this.#sweptAt) >= SWEEP) {
      this.#sweptAt = now;
      for (const [counter, { expires }] of this.#counters) if (expires <= now) this.#counters.delete(counter);
    }
    if (this.#counters.size < this.#places) return;
    const [oldest] = this.#counters;
    if (!oldest) return;
    const [counter, { times, expires, window }] = oldest;
    this.#counters.delete(counter);
    if (expires > now) this.#remainders.add(counter, times.length, window, now);
  }
}

/** Attempts that a cell counts at most. No limit is higher. */
const FULL = 0xffff;

/**
 * The attempts of counters for which there was no room. Several counters share a cell, so a cell may count too much,
 * never too little. Names of counters are keyed hashes: a client cannot choose whose cell it fills.
 *
 * Attempts are in two lists, each for the length of the longest window. When the newer one has lasted that long, the
 * older one is dropped. An attempt counts for its window at least, and for twice the longest window at most.
 */
class Remainders {
  readonly #cells: number;
  #newer: Uint16Array | undefined;
  #older: Uint16Array | undefined;
  /** Milliseconds since 1970 at which the newer list was begun. */
  #begun = 0;
  /** The longest window in milliseconds. */
  #length = 0;

  constructor(cells: number) {
    this.#cells = cells;
  }

  count(counter: string, now: number): number {
    this.#age(now);
    if (!this.#newer && !this.#older) return 0;
    const cell = this.#cellOf(counter);
    return (this.#newer?.[cell] ?? 0) + (this.#older?.[cell] ?? 0);
  }

  add(counter: string, attempts: number, window: number, now: number): void {
    this.#age(now);
    if (!this.#newer) {
      this.#newer = new Uint16Array(this.#cells);
      this.#begun = now;
    }
    this.#length = Math.max(this.#length, window);
    const cell = this.#cellOf(counter);
    this.#newer[cell] = Math.min(FULL, (this.#newer[cell] ?? 0) + attempts);
  }

  /** Returns the next instant at which attempts are dropped. */
  nextEnd(): Date {
    return new Date(this.#begun + this.#length);
  }

  clear(): void {
    this.#newer = undefined;
    this.#older = undefined;
    this.#length = 0;
  }

  #age(now: number): void {
    const lists = Math.floor((now - this.#begun) / this.#length);
    if (!this.#length || lists < 1) return;
    this.#older = lists === 1 ? this.#newer : undefined;
    this.#newer = undefined;
    this.#begun += lists * this.#length;
    if (!this.#older) this.#length = 0;
  }

  /** FNV-1a. */
  #cellOf(counter: string): number {
    let hash = 0x811c9dc5;
    for (let index = 0; index < counter.length; index++) hash = Math.imul(hash ^ counter.charCodeAt(index), 0x01000193);
    return (hash >>> 0) % this.#cells;
  }
}

/** The kinds of counters. Each kind has counters of its own, so that a flood of one kind does not touch the others. */
export type CounterKind = 'credentials' | 'email' | 'network';

/**
 * The counters of this process, by what they count. All configurations share them, because a host may make a new
 * configuration for each request. The names of counters derive from the secret, so applications with different secrets
 * do not share counters.
 */
class ProcessCounters {
  readonly #kinds: Readonly<Record<CounterKind, MemoryCounters>> = {
    credentials: new MemoryCounters(),
    email: new MemoryCounters(),
    network: new MemoryCounters(),
  };

  of(kind: CounterKind): MemoryCounters {
    return this.#kinds[kind];
  }

  /** Number of counters kept. */
  get size(): number {
    return Object.values(this.#kinds).reduce((sum, { size }) => sum + size, 0);
  }

  /** Drops all counters. */
  clear(): void {
    for (const counters of Object.values(this.#kinds)) counters.clear();
  }
}

/** The counters of this process. */
export const processCounters: ProcessCounters = new ProcessCounters();
