import { isDeepStrictEqual } from 'node:util';
import type { Entry, Field, Racer } from './process.ts';
import { median, shuffle, spread } from './statistics.ts';
import type { Contender, Slice } from './work.ts';

/** The duration of a race and of its slices. */
export interface Pace {
  /** Slices of each contender. */
  readonly rounds: number;
  /** Milliseconds. */
  readonly slice: number;
  /** Milliseconds for which each contender warms up; twice as long in a new process. */
  readonly warmUp: number;
  /** Factor for the time of warming up of this line. */
  readonly longer: number;
}

/** The two clocks: the wall clock, and the processor time of all threads of the process. */
export type Clock = 'wall' | 'cpu';

/** The time of one contender. */
export interface Result {
  readonly contender: Contender;
  /** Microseconds of a run: the median of the slices. */
  readonly time: Readonly<Record<Clock, number>>;
  /** Time relative to the first contender: the median of the ratios of adjacent slices. */
  readonly ratio: Readonly<Record<Clock, number>>;
  /** Half the distance between the quartiles of those ratios, as a part of their median. */
  readonly spread: Readonly<Record<Clock, number>>;
}

/**
 * Races contenders: one slice each, in a random order for each round, so that other load on the machine affects all of
 * them. Each contender must answer correctly before the first slice and after the last.
 */
export async function race(field: Field, entries: readonly Entry[], pace: Pace): Promise<Result[]> {
  const racers: Racer[] = [];
  try {
    for (const entry of entries) racers.push(await field.enter(entry));
    await compare(racers);
    await warmUp(racers, pace);
    const slices = await takeTurns(racers, pace);
    await compare(racers);
    return racers.map((racer) => resultOf(racer.name, slices.get(racer) ?? [], slices.get(racers[0] as Racer) ?? []));
  } finally {
    for (const racer of racers) await racer.close();
  }
}

/** Further steps in a new process, as a multiple of the usual ones: it has to compile the code that all lines share. */
const FIRST = 1;

/** Factor for the longest time of warming up. On a slow machine, the compiler takes longer. */
const MOST = 4;
/** A time below this part of the best one counts as faster. */
const FASTER = 0.94;
/** Number of steps of {@link Pace.warmUp}. After each, a contender that still gets faster continues. */
const STEPS = 2;

/** Warms up all processes at once, but the works of one process in sequence: they share its processor time. */
async function warmUp(racers: readonly Racer[], pace: Pace): Promise<void> {
  const names = [...new Set(racers.map(({ name }) => name))];
  await Promise.all(
    names.map(async (name) => {
      for (const racer of racers.filter((one) => one.name === name)) await warm(racer, pace);
    }),
  );
}

async function warm(racer: Racer, { warmUp, longer }: Pace): Promise<void> {
  const least = STEPS * (longer + (racer.isFirst ? FIRST : 0));
  let best = Number.POSITIVE_INFINITY;
  for (let step = 1; step <= least * MOST; step++) {
    const { cpu, runs } = await racer.slice(warmUp / STEPS);
    const now = cpu / runs;
    if (step > least && now > best * FASTER) return;
    best = Math.min(best, now);
  }
}

async function takeTurns(racers: readonly Racer[], { rounds, slice }: Pace): Promise<Map<Racer, Slice[]>> {
  const slices = new Map<Racer, Slice[]>(racers.map((racer) => [racer, []]));
  const order = [...racers];
  for (let round = 0; round < rounds; round++) {
    shuffle(order);
    for (const racer of order) slices.get(racer)?.push(await racer.slice(slice));
  }
  return slices;
}

function resultOf(contender: Contender, own: readonly Slice[], first: readonly Slice[]): Result {
  const per = (slice: Slice | undefined, clock: Clock): number => (slice?.[clock] ?? Number.NaN) / (slice?.runs ?? 1);
  const ratios = (clock: Clock): number[] => own.map((slice, round) => per(slice, clock) / per(first[round], clock));
  const both = (make: (clock: Clock) => number): Record<Clock, number> => ({ wall: make('wall'), cpu: make('cpu') });
  return {
    contender,
    time: both((clock) => median(own.map((slice) => per(slice, clock)))),
    ratio: both((clock) => median(ratios(clock))),
    spread: both((clock) => spread(ratios(clock))),
  };
}

/**
 * Compares the responses of Latchkey and the limit: status, headers, decrypted cookies and body. The peers have
 * different cookies and URLs, so their own work checks the response.
 */
async function compare(racers: readonly Racer[]): Promise<void> {
  // The minute in a time may change between two answers.
  const difference = (await differenceOf(racers)) && (await differenceOf(racers));
  if (difference) throw new Error(`they answer differently.\n${difference}`);
}

async function differenceOf(racers: readonly Racer[]): Promise<string | undefined> {
  const answers = await Promise.all(racers.map((racer) => racer.answer()));
  const ours = answers[0];
  for (const [index, { name }] of racers.entries()) {
    if (name === 'authjs' || name === 'better-auth' || isDeepStrictEqual(answers[index], ours)) continue;
    const [one, other] = [ours, answers[index]].map((answer) => JSON.stringify(answer, null, 2));
    return `${racers[0]?.name}: ${one}\n${name}: ${other}`;
  }
  return undefined;
}
