import type { Look } from './look.ts';

/** A contender. */
export interface Subject {
  readonly name: string;
  readonly look: Look;
  /** Number of users. */
  readonly people: number;
  /** Number of users who visit, spread evenly over all. Default: all. */
  readonly visitors?: number | undefined;
}

/** The measurements of a {@link Subject}. */
export interface Figure {
  readonly name: string;
  /** Microseconds of a request: the median of the slices. */
  readonly microseconds: number;
  /** Time relative to the first subject: the median of the ratios of adjacent slices. */
  readonly ratio: number;
}

/** Returns microseconds. */
export type Clock = () => number;

/** Wall time. Other load on the machine is included. */
export const elapsed: Clock = () => performance.now() * 1000;

/** Processor time of this thread, for databases without a server. Other load makes little difference. */
export const worked: Clock = () => {
  const { user, system } = process.threadCpuUsage();
  return user + system;
};

/** Milliseconds of a slice. Short, so that other load on the machine affects all subjects. */
const SLICE = 10;

/**
 * Measures subjects in turns: one slice each, in a random order for each round. Read the ratios, not the times.
 *
 * @param seconds For each subject.
 */
export async function measure(subjects: readonly Subject[], clock: Clock, seconds: number): Promise<Figure[]> {
  const rounds = Math.ceil((seconds * 1000) / SLICE);
  const times: number[][] = subjects.map(() => []);
  const order = subjects.map((_, index) => index);
  for (const subject of subjects) await slice(subject, clock, 300);
  for (let round = 0; round < rounds; round++) {
    shuffle(order);
    for (const index of order) times[index]?.push(await slice(subjects[index] as Subject, clock, SLICE));
  }
  const [reference = []] = times;
  return subjects.map(({ name }, index) => {
    const own = times[index] ?? [];
    const ratios = own.map((time, round) => time / (reference[round] ?? time));
    return { name, microseconds: median(own), ratio: median(ratios) };
  });
}

/** Returns the microseconds of a request, from requests of random users during a slice. */
async function slice(
  { look, people, visitors = people }: Subject,
  clock: Clock,
  milliseconds: number,
): Promise<number> {
  const start = clock();
  let looks = 0;
  let now = start;
  while (now - start < milliseconds * 1000) {
    for (let n = 0; n < 10; n++) await look(Math.floor((Math.floor(Math.random() * visitors) * people) / visitors));
    looks += 10;
    now = clock();
  }
  return (now - start) / looks;
}

function shuffle(order: number[]): void {
  for (let last = order.length - 1; last > 0; last--) {
    const other = Math.floor(Math.random() * (last + 1));
    [order[last], order[other]] = [order[other] as number, order[last] as number];
  }
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2;
}
