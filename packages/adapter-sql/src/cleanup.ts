import { type RawBuilder, sql } from 'kysely';
import { type Encoded, textOf } from './codec.ts';
import type { SqlValue } from './dialect.ts';
import { type SlotOf, type Statement, statement } from './statement.ts';
import { runAll, type Store } from './store.ts';
import type { Table } from './table.ts';

/** Rows deleted in one transaction. Other transactions can run between two of them. */
const BATCH = 200;

/** Returns `cleanup`, which deletes expired sessions with their links, expired verification tokens and spent keys. */
export function cleanupOf(store: Store): () => Promise<number> {
  const sweeps = [
    sweepOf(store, store.table('sessions'), 'sessionToken'),
    sweepOf(store, store.table('verificationTokens'), 'token'),
  ];
  return async () => {
    const now = store.codec.encode('date', 'now', store.now());
    let deleted = 0;
    for (const sweep of sweeps) deleted += await sweep(now);
    return deleted;
  };
}

/** Reads the keys of expired rows, then deletes those that are still expired, so that an extended session stays. */
function sweepOf(
  store: Store,
  table: Table<'sessions' | 'verificationTokens'>,
  key: 'sessionToken' | 'token',
): (now: SqlValue) => Promise<number> {
  const { select, deletions } = statementsOf(store, table, key);

  async function deleteRows(input: Encoded): Promise<number> {
    const results = await runAll(
      store,
      deletions.map((remove) => remove(input)),
    );
    return results.at(-1)?.affected ?? 0;
  }

  return async (now) => {
    let deleted = 0;
    for (;;) {
      const { rows } = await store.run(select({ now }));
      const input: Encoded = { now };
      for (let index = 0; index < BATCH; index++) input[`key${index}`] = textOf(rows[index]?.[key]);
      const affected = rows.length > 0 ? await deleteRows(input) : 0;
      deleted += affected;
      // If a trigger keeps expired rows, a further query would return them again.
      if (rows.length < BATCH || affected === 0) return deleted;
      await new Promise((resolve) => setTimeout(resolve));
    }
  };
}

function statementsOf(
  store: Store,
  table: Table<'sessions' | 'verificationTokens'>,
  key: 'sessionToken' | 'token',
): { select: Statement<Encoded>; deletions: readonly Statement<Encoded>[] } {
  const { write } = store;
  const links = key === 'sessionToken' ? store.optionalTable('userSessions') : null;
  const isExpired = (slot: SlotOf<Encoded>) => table.isBefore('expires', slot('now'));
  // The number of keys is fixed, and the last ones may be null, so that the statement is prepared once.
  const isExpiredKey = (slot: SlotOf<Encoded>): RawBuilder<boolean> => {
    const keys = Array.from({ length: BATCH }, (_, index) => sql`${slot(`key${index}`)}`);
    return sql<boolean>`${table.ref(key)} in (${sql.join(keys)}) and ${isExpired(slot)}`;
  };
  // Without the lock, a session that is extended between the two deletions would stay without its link.
  const lock = statement<Encoded>((slot) =>
    write.selectFrom(table.name).select(sql`1`.as('locked')).where(isExpiredKey(slot)).forUpdate(),
  );
  const deleteRows = statement<Encoded>((slot) => write.deleteFrom(table.name).where(isExpiredKey(slot)));
  return {
    select: statement<Encoded>((slot) =>
      write
        .selectFrom(table.name)
        .select(table.select(key))
        .where(isExpired(slot))
        // A row without a key cannot be named in the deletion.
        .where(sql<boolean>`${table.ref(key)} is not null`)
        .limit(sql.lit(BATCH)),
    ),
    deletions: links ? [...(store.dialect.rowLocks ? [lock] : []), deleteLinks(links), deleteRows] : [deleteRows],
  };

  function deleteLinks(links: Table<'userSessions'>): Statement<Encoded> {
    return statement((slot) =>
      write
        .deleteFrom(links.name)
        .where(
          sql<boolean>`${links.ref('sessionId')} in (select ${table.ref('id')} from ${sql.table(table.name)} where ${isExpiredKey(slot)})`,
        ),
    );
  }
}
