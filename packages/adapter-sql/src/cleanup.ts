import { type RawBuilder, sql } from 'kysely';
import type { Encoded } from './codec.ts';
import { textOf } from './codec.ts';
import type { Query } from './dialect.ts';
import { type SlotOf, type Statement, statement } from './statement.ts';
import { runAll, type Store } from './store.ts';

/** Rows deleted in one transaction; between two, others get their turn. */
const BATCH = 200;

/**
 * Makes `cleanup`: deletes sessions, verification tokens and spent keys that have expired, with their links. Rows without
 * expiry are left alone. Call it from a timer or a job, say once an hour; nothing depends on when.
 */
export function cleanupOf(store: Store): () => Promise<number> {
  const sweeps = [sweepOf(store, 'sessions', 'sessionToken'), sweepOf(store, 'verificationTokens', 'token')];
  return async () => {
    const now = store.codec.encode('date', 'now', store.now());
    let deleted = 0;
    for (const sweep of sweeps) deleted += await sweep(now);
    return deleted;
  };
}

/**
 * Deletes the expired rows of a table, some at a time: reads which, then deletes those among them that are still expired, so
 * that a session that was extended meanwhile stays.
 */
function sweepOf(store: Store, id: 'sessions' | 'verificationTokens', key: string) {
  const { select, deletions } = statementsOf(store, id, key);

  return async (now: Encoded[string]): Promise<number> => {
    let deleted = 0;
    for (;;) {
      const { rows } = await store.run(select({ now }));
      const input: Encoded = { now };
      for (let index = 0; index < BATCH; index++) input[`key${index}`] = textOf(rows[index] ?? {}, key);
      const results =
        rows.length > 0
          ? await runAll(
              store,
              deletions.map((one): Query => one(input)),
            )
          : [];
      const gone = results.at(-1)?.affected ?? 0;
      deleted += gone;
      // Rows that stay though they have expired, kept by a trigger, must not be asked for again and again.
      if (rows.length < BATCH || gone === 0) return deleted;
      await new Promise((resolve) => setTimeout(resolve));
    }
  };
}

function statementsOf(store: Store, id: 'sessions' | 'verificationTokens', key: string) {
  const { write } = store;
  const table = store.table(id);
  const links = id === 'sessions' ? store.maybe('userSessions') : null;
  const isExpired = (slot: SlotOf<Encoded>) => table.isBefore('expires', slot('now'));
  // A fixed number of places, the last ones empty, makes it one statement that is prepared once.
  const among = (slot: SlotOf<Encoded>): RawBuilder<boolean> => {
    const places = Array.from({ length: BATCH }, (_, index) => sql`${slot(`key${index}`)}`);
    return sql<boolean>`${table.ref(key)} in (${sql.join(places)}) and ${isExpired(slot)}`;
  };
  const deletions: Statement<Encoded>[] = [];
  // Else a session that is extended between the two deletions would lose its link and stay.
  if (links && store.dialect.rowLocks)
    deletions.push(
      statement<Encoded>((slot) =>
        write.selectFrom(table.name).select(sql`1`.as('locked')).where(among(slot)).forUpdate(),
      ),
    );
  if (links)
    deletions.push(
      statement<Encoded>((slot) =>
        write
          .deleteFrom(links.name)
          .where(
            sql<boolean>`${links.ref('sessionId')} in (select ${table.ref('id')} from ${sql.table(table.name)} where ${among(slot)})`,
          ),
      ),
    );
  deletions.push(statement<Encoded>((slot) => write.deleteFrom(table.name).where(among(slot))));
  return {
    select: statement<Encoded>((slot) =>
      write
        .selectFrom(table.name)
        .select(table.read(key))
        .where(isExpired(slot))
        // A row without key is of no use to anybody, and cannot be named.
        .where(sql<boolean>`${table.ref(key)} is not null`)
        .limit(sql.lit(BATCH)),
    ),
    deletions,
  };
}
