import { isDeepStrictEqual } from 'node:util';
import type { Entry, Field, Racer } from './process.ts';
import { median, shuffle, spread } from './statistics.ts';
import type { Contender, Slice } from './work.ts';

/** How long, and how finely. */
export interface Pace {
  /** Slices of each contender. */
  readonly rounds: number;
  /** Milliseconds. */
  readonly slice: number;
  /** Milliseconds of each contender before anything counts; as much again in a new process. */
  readonly warmUp: number;
  /** How many times longer the line is warmed up than others, at least. */
  readonly longer: number;
}

/** The two clocks: that on the wall, and what all threads of the process have worked. */
export type Clock = 'wall' | 'cpu';

/** What one contender needed. */
export interface Result {
  readonly contender: Contender;
  /** Microseconds of a run: the median of the slices. */
  readonly time: Readonly<Record<Clock, number>>;
  /** Times as long as the first contender: the median of the ratios of slices that ran next to each other. */
  readonly ratio: Readonly<Record<Clock, number>>;
  /** Half the distance between the quartiles of those ratios, as a part of their median. */
  readonly spread: Readonly<Record<Clock, number>>;
}

/**
 * Races contenders, a slice each in an order drawn by lot every round, so that whatever else the machine does meets all of them.
 * Everybody answers before the first slice and after the last, and that must be right.
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

/** A new process has more to learn: what every request has in common. Times the usual. */
const FIRST = 1;

/** On a slow machine the compiler takes longer: whoever still gets faster is warmed up on, up to so many times as long. */
const MOST = 4;
/** Faster than ever before is what takes less than this part of the time. */
const FASTER = 0.94;
/** In so many steps each {@link Pace.warmUp}: after each it is seen who still gets faster. */
const STEPS = 2;

/** All processes at once: nothing counts yet. Two works of one process would count each other's time. */
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
 * Ours and the limit answer alike: status, headers, the decrypted contents of the cookies, body. The peers have cookies and addresses
 * of their own; their work makes sure that the answer is right.
 */
async function compare(racers: readonly Racer[]): Promise<void> {
  // Between two answers a minute may end, by which times are told.
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
