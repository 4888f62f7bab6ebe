import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';

/** How a soak is run. */
export interface Options {
  /** Of traffic. Default: 10. */
  readonly minutes: number;
  /** Seed of the random numbers. Default: a random one. */
  readonly seed: number;
}

/**
 * Reads `--minutes` and `--seed`.
 *
 * @throws {TypeError} for anything else.
 */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: { minutes: { type: 'string', default: '10' }, seed: { type: 'string' } },
  });
  const minutes = Number(values.minutes);
  const seed = values.seed === undefined ? randomInt(2 ** 31) : Number(values.seed);
  if (!(minutes >= 0.5 && minutes <= 600)) throw new TypeError('--minutes is a number from 0.5 to 600');
  if (!Number.isInteger(seed) || seed < 0 || seed >= 2 ** 32)
    throw new TypeError('--seed is a whole number below 2^32');
  return { minutes, seed };
}
