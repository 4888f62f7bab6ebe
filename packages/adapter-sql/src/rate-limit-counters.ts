import type { RateLimitRule } from '@latchkey/core/types';
import { sql } from 'kysely';
import { type Encoded, textOf } from './codec.ts';
import type { Engine } from './dialect.ts';
import { UniqueViolation } from './errors.ts';
import { type SlotOf, statement, writerOf } from './statement.ts';

/** The operations on the table of counters. */
export interface Counters {
  take(counter: string, rule: RateLimitRule): Promise<Date | null>;
  release(counter: string, at: Date): Promise<void>;
  /** Deletes expired counters. Returns the number of rows. */
  sweep(now: number): Promise<number>;
}

/** The result of an attempt to change a counter; `undefined` if another caller changed it first. */
type Outcome<T> = { readonly done: T } | undefined;

/** Milliseconds until a caller whose attempts have all failed may try again. */
const PAUSE = 1000;

/**
 * Returns the counters of a table. A counter is read, and written only if it has not changed (compare and set). Of
 * several simultaneous attempts, one writes and the others read again. This needs no lock, and works on every database.
 * Within a process the attempts wait for each other, because n simultaneous attempts would need n² statements.
 */
export function countersOf({ dialect, run }: Engine, table: string): Counters {
  const { select, insert, update, remove, sweep } = statementsOf(dialect, table);
  const inTurn = turns();

  /** Writes the times of a counter, unless it has changed since it was read. */
  async function write(counter: string, before: string | null, times: readonly number[], expires: number) {
    const taken = times.join(' ');
    try {
      if (before === null) return (await run(insert({ counter, taken, expires }))).affected > 0;
      if (times.length === 0) return (await run(remove({ counter, before }))).affected > 0;
      return (await run(update({ counter, before, taken, expires }))).affected > 0;
    } catch (error) {
      if (error instanceof UniqueViolation) return false;
      throw error;
    }
  }

  async function read(counter: string): Promise<{ before: string | null; times: number[]; expires: number }> {
    const [row] = (await run(select({ counter }))).rows;
    const before = row === undefined ? null : (textOf(row['taken']) ?? '');
    return { before, times: timesOf(before ?? ''), expires: Number(row?.['expires'] ?? 0) };
  }

  return {
    async take(counter, { limit, window, now }) {
      const at = now.getTime();
      const length = window * 1000;
      const attempt = async (): Promise<Outcome<Date | null>> => {
        const { before, times } = await read(counter);
        const counted = times.filter((time) => time > at - length);
        const first = counted.at(-limit);
        if (counted.length >= limit && first !== undefined) return { done: new Date(first + length) };
        const next = [...counted, at].sort((a, b) => a - b);
        const isWritten = await write(counter, before, next, (next.at(-1) ?? at) + length);
        return isWritten ? { done: null } : undefined;
      };
      // An attempt fails only if another caller has changed the counter, so this number of attempts is enough.
      const freeAt = await inTurn(counter, () => again(2 * limit + 100, attempt));
      // Refuse the attempt: otherwise many simultaneous attempts would pass the limit.
      return freeAt === undefined ? new Date(at + PAUSE) : freeAt;
    },
    async release(counter, at) {
      const attempt = async (): Promise<Outcome<true>> => {
        const { before, times, expires } = await read(counter);
        const index = times.indexOf(at.getTime());
        if (index < 0) return { done: true };
        return (await write(counter, before, times.toSpliced(index, 1), expires)) ? { done: true } : undefined;
      };
      const done = await inTurn(counter, () => again(1000, attempt));
      if (!done)
        throw new Error('the attempt was not released, because other callers changed the counter during all tries');
    },
    sweep: async (now) => (await run(sweep({ now }))).affected,
  };
}

/** Runs the work on one counter in the order of the calls. */
function turns(): <T>(counter: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<void>>();
  return (counter, work) => {
    const turn = (last.get(counter) ?? Promise.resolve()).then(work);
    const end: Promise<void> = turn.then(
      () => leave(),
      () => leave(),
    );
    const leave = (): void => {
      if (last.get(counter) === end) last.delete(counter);
    };
    last.set(counter, end);
    return turn;
  };
}

async function again<T>(attempts: number, attempt: () => Promise<Outcome<T>>): Promise<T | undefined> {
  for (let count = 0; count < attempts; count++) {
    const outcome = await attempt();
    if (outcome) return outcome.done;
  }
  return undefined;
}

function timesOf(taken: string): number[] {
  const times = taken === '' ? [] : taken.split(' ').map(Number);
  return times.filter(Number.isFinite);
}

function statementsOf(dialect: Engine['dialect'], table: string) {
  const write = writerOf(dialect);
  const isStill = (slot: SlotOf<Encoded>) =>
    sql<boolean>`${sql.ref('counter')} = ${slot('counter')} and ${sql.ref('taken')} = ${slot('before')}`;
  return {
    select: statement<Encoded>((slot) =>
      write.selectFrom(table).select(['taken', 'expires']).where('counter', '=', slot('counter')),
    ),
    insert: statement<Encoded>((slot) =>
      write.insertInto(table).values({ counter: slot('counter'), taken: slot('taken'), expires: slot('expires') }),
    ),
    update: statement<Encoded>((slot) =>
      write
        .updateTable(table)
        .set({ taken: slot('taken'), expires: slot('expires') })
        .where(isStill(slot)),
    ),
    remove: statement<Encoded>((slot) => write.deleteFrom(table).where(isStill(slot))),
    sweep: statement<Encoded>((slot) => write.deleteFrom(table).where('expires', '<=', slot('now'))),
  };
}
