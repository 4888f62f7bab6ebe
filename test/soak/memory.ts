import { percentile } from './tally.ts';

/** Memory of a process at one time after garbage collection, in bytes. */
export interface Sample {
  /** Objects, and what they keep outside of the heap. */
  readonly heap: number;
  readonly rss: number;
}

/** Assessment of the memory of a process. */
export interface MemoryVerdict {
  readonly isFlat: boolean;
  /** In words, with the numbers. */
  readonly text: string;
}

/** Samples below which nothing can be said. */
export const ENOUGH = 9;

const MB = 1024 * 1024;
/**
 * Allowed growth from the second third of a run to the last: JIT code, bounded caches and the noise of RSS. In a short
 * run, the second third is still warm-up, so that only a large leak is detected.
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
