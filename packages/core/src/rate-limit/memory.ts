import { limits } from '../config/defaults.ts';
import type { RateLimitRule, RateLimitStore } from '../rate-limit-types.ts';

interface Counter {
  /** Milliseconds since 1970, in order. */
  readonly times: readonly number[];
  /** From then on nothing of it counts. */
  readonly expires: number;
}

/** Milliseconds between two searches for what has expired. */
const SWEEP = 10_000;

/**
 * Counters in this process, so many at most (`limits.rateCounters`). What has expired goes first; then, of those that have counted
 * the least, the one that was counted longest ago.
 *
 * What the bound means: somebody who wants a counter of his own forgotten has to fill every place with counters that have counted at
 * least as much. For one more guess at one account that is `limits.rateCounters` other attempts; for a counter at its limit it is that
 * many times the limit. A flood of new names pushes out only each other.
 */
export class MemoryCounters implements RateLimitStore {
  readonly #counters = new Map<string, Counter>();
  /** Names of counters, by how much they have counted; within a level the one that was counted longest ago is first. */
  readonly #levels = new Map<number, Set<string>>();
  readonly #places: number;
  #sweptAt = Number.NEGATIVE_INFINITY;

  /** @param places Counters kept at most. */
  constructor(places: number = limits.rateCounters) {
    this.#places = places;
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
    this.#remove(counter);
    if (this.#counters.size >= this.#places) this.#makeRoom(at);
    // Requests are not counted in the order of their instants when one has waited for its body.
    this.#put(counter, { times: [...times, at].sort((a, b) => a - b), expires: at + length });
    return null;
  }

  giveBack(counter: string, at: Date): void {
    const known = this.#counters.get(counter);
    const index = known?.times.indexOf(at.getTime()) ?? -1;
    if (!known || index < 0) return;
    this.#remove(counter);
    const times = known.times.toSpliced(index, 1);
    if (times.length > 0) this.#put(counter, { ...known, times });
  }

  /** Forgets everything. */
  clear(): void {
    this.#counters.clear();
    this.#levels.clear();
    this.#sweptAt = Number.NEGATIVE_INFINITY;
  }

  #put(counter: string, value: Counter): void {
    const count = value.times.length;
    const level = this.#levels.get(count) ?? new Set<string>();
    this.#levels.set(count, level.add(counter));
    this.#counters.set(counter, value);
  }

  #remove(counter: string): void {
    const count = this.#counters.get(counter)?.times.length ?? 0;
    const level = this.#levels.get(count);
    level?.delete(counter);
    if (level?.size === 0) this.#levels.delete(count);
    this.#counters.delete(counter);
  }

  /** To look at all of them takes a millisecond or two, so a flood does not make us do it with each request. */
  #makeRoom(now: number): void {
    if (Math.abs(now - this.#sweptAt) >= SWEEP) {
      this.#sweptAt = now;
      for (const [counter, { expires }] of this.#counters) if (expires <= now) this.#remove(counter);
    }
    if (this.#counters.size < this.#places) return;
    const [oldest] = this.#levels.get(Math.min(...this.#levels.keys())) ?? [];
    if (oldest !== undefined) this.#remove(oldest);
  }
}

/**
 * The counters of this process, of all configurations: hosts may make a configuration anew with each request, and a counter that went
 * with it would count nothing. Their names depend on the secret, so that applications do not meet.
 */
export const processCounters: MemoryCounters = new MemoryCounters();
