import type { Row } from '../rows.ts';
import type { Entry, Field } from './process.ts';
import { type Clock, type Pace, type Result, race } from './race.ts';
import { median } from './statistics.ts';
import type { Contender } from './work.ts';

/** The result of a line of the table. */
export interface RowResult {
  readonly id: string;
  readonly title: string;
  readonly goal: Row['goal'];
  readonly within?: number | undefined;
  /** Microseconds of Latchkey. */
  readonly time: Readonly<Record<Clock, number>>;
  /** Speed relative to Auth.js, by the wall clock. */
  readonly over?: number | undefined;
  /** The same by processor time. */
  readonly overCpu?: number | undefined;
  readonly overBetterAuth?: number | undefined;
  /** Speed relative to an earlier build, by processor time. */
  readonly overBefore?: number | undefined;
  /** Share of the limit's speed. */
  readonly share?: number | undefined;
  /** Time relative to the other parameter. */
  readonly same?: number | undefined;
  /** Spread of the deciding ratio over the slices. */
  readonly spread: number;
  readonly reached: boolean;
}

/** Measures a line. */
export async function measureRow(field: Field, row: Row, pace: RowPace): Promise<RowResult> {
  const slice = pace.slice * (row.slice ?? 1);
  return resultOf(row, await race(field, entriesOf(row), { ...pace, slice, longer: row.warmUp ?? 1 }));
}

/** Settings of all lines. */
export type RowPace = Pick<Pace, 'rounds' | 'slice' | 'warmUp'>;

function entriesOf({ work, parameter, beside = ['authjs', 'limit'], same, portable = false }: Row): Entry[] {
  const entry = (contender: Contender, given: unknown): Entry => ({ work, contender, parameter: given, portable });
  const { BENCH_BEFORE } = process.env;
  const others = [...beside, ...(BENCH_BEFORE ? (['before'] as const) : [])].map((contender) =>
    entry(contender, parameter),
  );
  return [entry('latchkey', parameter), ...others, ...(same ? [entry('latchkey', same.parameter)] : [])];
}

function resultOf(row: Row, results: readonly Result[]): RowResult {
  const clock = row.clock ?? 'cpu';
  const find = (name: Contender): Result | undefined => results.slice(1).find(({ contender }) => contender === name);
  const [limit, authjs, betterAuth, variant] = [find('limit'), find('authjs'), find('better-auth'), find('latchkey')];
  const decisive = limit ?? variant ?? authjs;
  return judged(row, {
    time: results[0]?.time ?? { wall: Number.NaN, cpu: Number.NaN },
    over: authjs?.ratio.wall,
    overCpu: authjs?.ratio.cpu,
    overBetterAuth: betterAuth?.ratio.wall,
    overBefore: find('before')?.ratio.cpu,
    share: limit?.ratio[clock],
    same: variant?.ratio[clock],
    spread: decisive?.spread[clock] ?? Number.NaN,
  });
}

type Measured = Omit<RowResult, 'id' | 'title' | 'goal' | 'within' | 'reached'>;

/** The ratio to Auth.js may miss its goal by a fifth, because it depends on the machine's threads. */
const TOLERANCE = 0.8;

function judged({ id, title, goal, same }: Row, measured: Measured): RowResult {
  const { over, share } = measured;
  const reached =
    (goal.share === undefined || (share ?? 0) >= goal.share) &&
    (goal.over === undefined || (over ?? 0) >= goal.over * TOLERANCE) &&
    (same === undefined || Math.abs((measured.same ?? 9) - 1) <= same.within);
  return { id, title, goal, within: same?.within, ...measured, reached };
}

/** Returns the medians of several runs of one line. */
export function middleOf(row: Row, results: readonly RowResult[]): RowResult {
  const of = (pick: (result: RowResult) => number | undefined): number | undefined => {
    const values = results.map(pick).filter((value) => value !== undefined);
    return values.length === 0 ? undefined : median(values);
  };
  return judged(row, {
    time: { wall: of(({ time }) => time.wall) ?? 0, cpu: of(({ time }) => time.cpu) ?? 0 },
    over: of(({ over }) => over),
    overCpu: of(({ overCpu }) => overCpu),
    overBetterAuth: of(({ overBetterAuth }) => overBetterAuth),
    overBefore: of(({ overBefore }) => overBefore),
    share: of(({ share }) => share),
    same: of(({ same }) => same),
    spread: of(({ spread }) => spread) ?? 0,
  });
}
