import { percentile } from './tally.ts';

/** What one process held at one time, after garbage collection. Bytes. */
export interface Sample {
  /** Objects, and what they keep outside of the heap. */
  readonly heap: number;
  readonly rss: number;
}

/** What is to be said of a process's memory. */
export interface MemoryVerdict {
  readonly isFlat: boolean;
  /** In words, with the numbers. */
  readonly text: string;
}

/** Samples below which nothing can be said. */
export const ENOUGH = 9;

const MB = 1024 * 1024;
/**
 * What the last third may hold more than the second: JIT code and caches that fill up to their bounds, and the noise of RSS. In
 * a short life the second third is still warm-up, so that only a leak of some size can be told.
 */
const TOLERANCE = { long: { heap: 1.5 * MB, rss: 12 * MB }, short: { heap: 4 * MB, rss: 48 * MB } } as const;

/**
 * Compares the medians of the last and the second third of a life without restarts.
 *
 * @param isLong Of several minutes.
 */
export function judgeMemory(samples: readonly Sample[], isLong: boolean): MemoryVerdict {
  if (samples.length < ENOUGH) return { isFlat: false, text: `only ${samples.length} samples` };
  const tolerance = isLong ? TOLERANCE.long : TOLERANCE.short;
  const third = Math.floor(samples.length / 3);
  const judged = (['heap', 'rss'] as const).map((kind) => {
    const values = samples.map((sample) => sample[kind]);
    const middle = percentile(values.slice(third, -third), 0.5);
    const last = percentile(values.slice(-third), 0.5);
    const text = `${kind} ${mb(values[0])} at first, ${mb(middle)} in the second third, ${mb(last)} in the last`;
    return { isFlat: last - middle <= tolerance[kind], text: `${text} (allowed +${mb(tolerance[kind])})` };
  });
  return { isFlat: judged.every(({ isFlat }) => isFlat), text: judged.map(({ text }) => text).join('; ') };
}

function mb(bytes = 0): string {
  return `${(bytes / MB).toFixed(1)} MB`;
}
