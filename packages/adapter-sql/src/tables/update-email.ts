import type { Adapter } from '@latchkey/core/adapters';
import { type RawBuilder, sql } from 'kysely';
import { type Encoded, idOf } from '../codec.ts';
import type { Query, Result, SqlValue } from '../dialect.ts';
import { UniqueViolation } from '../errors.ts';
import { type SlotOf, type Statement, statement } from '../statement.ts';
import { runAll, type Store, withStamps } from '../store.ts';

/**
 * Returns `updateUserEmail`. The transaction looks for the owner of the new address first, because a table of a preset
 * may have no unique index. Where it has one, the index decides about simultaneous calls.
 */
export function updateEmail(store: Store): NonNullable<Adapter['updateUserEmail']> {
  const users = store.table('users');
  const statements = statementsOf(store);

  return async ({ userId, from, to, emailVerified }) => {
    const change: Encoded = withStamps(store, users, {
      id: users.lookup('id', userId),
      from: users.lookup('email', from),
      to: users.required('email', 'user.email', to),
      emailVerified: store.codec.encode('date', 'user.emailVerified', emailVerified),
    });
    const owner = (results: readonly Result[]): SqlValue | undefined => idOf(results[0]?.rows[0]?.['id']) ?? undefined;
    const isTaken = (results: readonly Result[]): boolean => ![undefined, change['id']].includes(owner(results));
    const update = from === null ? statements.first : statements.next;
    const unlessTaken = (results: readonly Result[]): Query | null => (isTaken(results) ? null : update(change));
    try {
      const results = await runAll(store, [statements.owner(change), unlessTaken]);
      if (isTaken(results)) return 'taken';
      return results[1]?.affected ? 'changed' : 'stale';
    } catch (error) {
      if (error instanceof UniqueViolation) return 'taken';
      throw error;
    }
  };
}

interface Statements {
  /** Selects the user who has the new address. */
  readonly owner: Statement<Encoded>;
  /** For a user without an address. */
  readonly first: Statement<Encoded>;
  readonly next: Statement<Encoded>;
}

function statementsOf({ write, table }: Store): Statements {
  const users = table('users');
  const updateWhere = (isFrom: (slot: SlotOf<Encoded>) => RawBuilder<boolean>): Statement<Encoded> =>
    statement((slot) =>
      write
        .updateTable(users.name)
        .set({
          [users.column('email')]: slot('to'),
          [users.column('emailVerified')]: slot('emailVerified'),
          ...Object.fromEntries(users.stamps.updated.map((column) => [column, slot('now')])),
        })
        .where(users.is('id', slot('id')))
        .where(isFrom(slot)),
    );
  return {
    owner: statement((slot) =>
      write
        .selectFrom(users.name)
        .select(users.select('id'))
        .where(users.is('email', slot('to'))),
    ),
    first: updateWhere(() => sql<boolean>`${users.ref('email')} is null`),
    next: updateWhere((slot) => users.is('email', slot('from'))),
  };
}
