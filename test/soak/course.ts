import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Chaos } from './chaos.ts';
import { ENOUGH, type Sample } from './memory.ts';
import type { Random } from './random.ts';
import { rotate } from './rotation.ts';
import type { Tally } from './tally.ts';
import { Registry } from './visitor/judge.ts';
import { end, live } from './visitor/life.ts';
import { Visitor } from './visitor/visitor.ts';
import { GRACE } from './windows.ts';
import type { World } from './world.ts';

/** Milliseconds between two events of chaos, at least and at most: in a run of a minute, and in one of ten. */
const GAP = { short: [1500, 3500], long: [3000, 9000] } as const;
/** Share of the time after which the secret is changed, and after which nothing is killed any more. */
const ROTATION = 1 / 3;
const CALM = 0.9;
/** Share of the time in which the processes have different secrets, in each step of the rotation. */
const MIXED = 1 / 30;
/** Milliseconds in which all visitors have to have everything issued anew. */
const RENEWAL = 90_000;
/** Samples of memory in the whole of the time. */
const SAMPLES = 60;

/** Lines of the processes from which on no more are kept. */
const MOST_LINES = 60;

/** Parameters of a course of events. */
export interface Course {
  readonly world: World;
  readonly tally: Tally;
  readonly random: Random;
  readonly visitors: number;
  readonly minutes: number;
  /** Milliseconds since the start. */
  readonly now: () => number;
}

/** Results in addition to the {@link Tally}. */
export interface Found {
  /** Of process `a`, from when it is left alone. */
  readonly samples: Sample[];
  /** Last output of the processes before some of the failures. */
  readonly lines: string[];
}

/** A new secret, as `AUTH_SECRET` is made. */
export function newSecret(): string {
  return randomBytes(32).toString('base64');
}

/** Traffic from beginning to end, and all that happens meanwhile. Never throws: what goes wrong is in the tally. */
export async function run(course: Course): Promise<Found> {
  const { world, tally, random, now } = course;
  const length = course.minutes * 60_000;
  const begun = now();
  const isAfter = (share: number): boolean => now() - begun >= length * share;
  const state = { isOver: false, renewals: 0 };
  const found: Found = { samples: [], lines: [] };
  const visitors = makeVisitors(course);
  const life = { isOver: () => state.isOver, renewals: () => state.renewals };
  const living = noting(
    tally,
    visitors.map((visitor) => live(visitor, life)),
  );
  const chaos = new Chaos(world, tally, random.fork('chaos'));
  const renewed = async (): Promise<void> => {
    state.renewals += 1;
    const giveUpAt = now() + RENEWAL;
    while (visitors.some(({ renewals }) => renewals < state.renewals)) {
      if (now() > giveUpAt) throw new Error('some visitors have not renewed');
      await sleep(20);
    }
  };
  const rotation = async (): Promise<void> => {
    // From then on process `a` is left alone.
    while (!isAfter(ROTATION) || tally.of('kills/a') === 0) await sleep(50);
    await rotate({ world, tally, chaos, next: newSecret(), mixed: length * MIXED, renewed });
    while (!isAfter(1) || found.samples.length < ENOUGH) {
      found.samples.push(await world.application('a').ask<Sample>('memory'));
      await sleep(length / SAMPLES);
    }
  };
  tally.onFailure = () => {
    if (found.lines.length < MOST_LINES) found.lines.push(...world.lastLines);
  };
  const gap = course.minutes < 3 ? GAP.short : GAP.long;
  const isCalm = (): boolean => isAfter(CALM) && (tally.of('rotations') > 0 || tally.hasFailed);
  await noting(tally, [rotation(), chaos.run(gap, isCalm)]);
  state.isOver = true;
  await living;
  await sleep(2 * GRACE);
  for (const visitor of visitors) await end(visitor);
  return found;
}

function makeVisitors({ world, tally, random, visitors, now }: Course): Visitor[] {
  const scene = { world, tally, registry: new Registry(), tokens: new Map<number, string>(), now };
  return Array.from({ length: visitors }, (_, number) => new Visitor(number, scene, random.fork(`visitor ${number}`)));
}

/** Waits for all of them; one that fails is noted at once, so that the others may end in time. */
async function noting(tally: Tally, works: readonly Promise<void>[]): Promise<void> {
  await Promise.all(
    works.map((work) => work.catch((error: unknown) => tally.fail('broken promises', 'the soak', String(error)))),
  );
}
