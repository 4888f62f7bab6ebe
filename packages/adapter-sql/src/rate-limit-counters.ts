import type { RateLimitRule } from '@latchkey/core/types';
import { sql } from 'kysely';
import { type Encoded, textOf } from './codec.ts';
import type { Engine } from './dialect.ts';
import { UniqueViolation } from './errors.ts';
import { type SlotOf, statement, writerOf } from './statement.ts';

/** What is done with the table of counters. */
export interface Counters {
  take(counter: string, rule: RateLimitRule): Promise<Date | null>;
  giveBack(counter: string, at: Date): Promise<void>;
  /** Deletes what has expired; resolves to the number of rows. */
  sweep(now: number): Promise<number>;
}

/** What became of an attempt to change a counter; `undefined`: somebody else was faster. */
type Outcome<T> = { readonly done: T } | undefined;

/** Milliseconds until the next attempt of somebody who has lost all of his. */
const PAUSE = 1000;

/**
 * The counters of a table. A counter is read, and written only if it is still what was read (compare-and-set): of any number of
 * simultaneous attempts, one writes, and the others look again. So all databases do it alike, and none holds a lock. Within a process
 * they take turns, or a crowd at one counter would cost the database the square of its number.
 */
export function countersOf({ dialect, run }: Engine, table: string): Counters {
  const { read, insert, update, remove, sweep } = statementsOf(dialect, table);
  const inTurn = turns();

  /** Writes what a counter counts from now on, unless it has changed since it was read. */
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

  async function known(counter: string): Promise<{ before: string | null; times: number[]; expires: number }> {
    const [row] = (await run(read({ counter }))).rows;
    const before = row === undefined ? null : (textOf(row, 'taken') ?? '');
    return { before, times: timesOf(before ?? ''), expires: Number(row?.['expires'] ?? 0) };
  }

  return {
    async take(counter, { limit, window, now }) {
      const at = now.getTime();
      const length = window * 1000;
      const attempt = async (): Promise<Outcome<Date | null>> => {
        const { before, times } = await known(counter);
        const counted = times.filter((time) => time > at - length);
        const first = counted.at(-limit);
        if (counted.length >= limit && first !== undefined) return { done: new Date(first + length) };
        const next = [...counted, at].sort((a, b) => a - b);
        const isWritten = await write(counter, before, next, (next.at(-1) ?? at) + length);
        return isWritten ? { done: null } : undefined;
      };
      // Who loses has seen somebody else count or give back, so that as many attempts as there are places suffice, and some more.
      const freeAt = await inTurn(counter, () => again(2 * limit + 100, attempt));
      // Refused, not let through: a limit that gives way to a crowd is none.
      return freeAt === undefined ? new Date(at + PAUSE) : freeAt;
    },
    async giveBack(counter, at) {
      const attempt = async (): Promise<Outcome<true>> => {
        const { before, times, expires } = await known(counter);
        const index = times.indexOf(at.getTime());
        if (index < 0) return { done: true };
        return (await write(counter, before, times.toSpliced(index, 1), expires)) ? { done: true } : undefined;
      };
      const done = await inTurn(counter, () => again(1000, attempt));
      if (!done) throw new Error('the counter is being changed all the time by others; nothing was given back');
    },
    sweep: async (now) => (await run(sweep({ now }))).affected,
  };
}

/** Does the work on one counter in the order in which it was asked for. */
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

/** In the order of time. */
function timesOf(taken: string): number[] {
  const times = taken === '' ? [] : taken.split(' ').map(Number);
  return times.filter(Number.isFinite);
}

function statementsOf(dialect: Engine['dialect'], table: string) {
  const write = writerOf(dialect);
  const isStill = (slot: SlotOf<Encoded>) =>
    sql<boolean>`${sql.ref('counter')} = ${slot('counter')} and ${sql.ref('taken')} = ${slot('before')}`;
  return {
    read: statement<Encoded>((slot) =>
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
