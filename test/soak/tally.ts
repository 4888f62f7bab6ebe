/** Something that must not have happened. */
export interface Failure {
  /** Milliseconds since the start. */
  readonly at: number;
  readonly who: string;
  /** A failure: the action, the expected and the actual result. */
  readonly what: string;
}

/** Number of failures that are printed. The others are only counted. */
const TOLD = 12;

/** The events so far. */
export class Tally {
  readonly failures: Failure[] = [];
  readonly counts: Map<string, number> = new Map();
  /** Milliseconds of each request that was answered. */
  readonly times: number[] = [];
  /** Receives each failure at once. */
  onFailure: () => void = () => undefined;
  readonly #now: () => number;

  /** @param now Milliseconds since the start. */
  constructor(now: () => number) {
    this.#now = now;
  }

  count(what: string, by = 1): void {
    this.counts.set(what, this.of(what) + by);
  }

  /** How often that was counted. */
  of(what: string): number {
    return this.counts.get(what) ?? 0;
  }

  /** All that was counted under names that begin so, without that beginning. */
  under(beginning: string): [name: string, count: number][] {
    const found = [...this.counts].filter(([name]) => name.startsWith(beginning));
    return found.map(([name, count]): [string, number] => [name.slice(beginning.length), count]).sort();
  }

  /** @param kind `errors outside`, `lost users` or `foreign sessions`, under which it is counted. */
  fail(kind: FailureKind, who: string, what: string): void {
    this.count(kind);
    this.onFailure();
    if (this.failures.length < TOLD) this.failures.push({ at: this.#now(), who, what });
  }

  get hasFailed(): boolean {
    return FAILURES.some((kind) => this.of(kind) > 0);
  }
}

/** Each of these makes the run fail. */
export const FAILURES = ['errors outside windows', 'lost users', 'foreign sessions', 'broken promises'] as const;
export type FailureKind = (typeof FAILURES)[number];

/** The value below which so many of the numbers lie; 0 without any. */
export function percentile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
