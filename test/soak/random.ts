/** Chance that comes out the same for the same seed. */
export interface Random {
  /** From 0 (included) to 1 (not included). */
  next(): number;
  /** A number from `low` to `high`. */
  between(low: number, high: number): number;
  /** @throws {RangeError} when there is nothing to choose from. */
  pick<T>(from: readonly T[]): T;
  /** The same things in another order. */
  shuffled<T>(things: readonly T[]): T[];
  /** Returns a separate generator, which is independent of other uses. */
  fork(name: string): Random;
}

/** Mulberry32: good enough to choose by, and short. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const pick = <T>(from: readonly T[]): T => {
    if (from.length === 0) throw new RangeError('there is nothing to choose from');
    return from[Math.floor(next() * from.length)] as T;
  };
  return {
    next,
    between: (low, high) => low + next() * (high - low),
    pick,
    shuffled: (things) =>
      things
        .map((thing) => ({ thing, rank: next() }))
        .sort((a, b) => a.rank - b.rank)
        .map(({ thing }) => thing),
    fork: (name) =>
      randomOf([...name].reduce((hash, letter) => Math.imul(hash ^ letter.charCodeAt(0), 0x01000193), seed)),
  };
}
