import { type RawBuilder, sql } from 'kysely';
import type { Encoded } from './codec.ts';
import type { Query } from './dialect.ts';
import { type SlotOf, statement } from './statement.ts';
import type { Store } from './store.ts';

/** A link table, its field that refers to a row, and the table of that row. */
interface LinkTable {
  readonly table: 'userAccounts' | 'userSessions';
  readonly field: 'accountId' | 'sessionId';
  readonly of: 'accounts' | 'sessions';
}

/** Statements about the link of a row. They are empty if the schema has no link table. */
export interface Links {
  link(row: Encoded): Query[];
  /** Moves the link to the user `userId`. */
  relink(row: Encoded): Query[];
  unlink(key: Encoded): Query[];
}

/** Compiles the statements about the links of the rows that `isRow` matches. */
export function linksOf(
  store: Store,
  { table, field, of }: LinkTable,
  isRow: (slot: SlotOf<Encoded>) => RawBuilder<boolean>,
): Links {
  const { write } = store;
  const [links, rows] = [store.optionalTable(table), store.table(of)];
  if (!links) return { link: () => [], relink: () => [], unlink: () => [] };
  const rowId = rows.ref('id');
  const isLink = (slot: SlotOf<Encoded>) =>
    sql<boolean>`${links.ref(field)} in (select ${rowId} from ${sql.table(rows.name)} where ${isRow(slot)})`;
  const withId = links.has('id') && store.shape.ids.madeBy === 'latchkey';

  const insert = statement<Encoded>((slot) =>
    write
      .insertInto(links.name)
      .columns([...(withId ? [links.column('id')] : []), links.column(field), links.column('userId')])
      .expression(
        write
          .selectFrom(rows.name)
          .select([
            ...(withId ? [sql`${slot('link')}`.as('link')] : []),
            sql`${rowId}`.as('theRow'),
            sql`${rows.ref('userId')}`.as('theUser'),
          ])
          .where(isRow(slot)),
      ),
  );
  const update = statement<Encoded>((slot) =>
    write
      .updateTable(links.name)
      .set({ [links.column('userId')]: slot('userId') })
      .where(isLink(slot)),
  );
  const remove = statement<Encoded>((slot) => write.deleteFrom(links.name).where(isLink(slot)));
  return { link: (row) => [insert(row)], relink: (row) => [update(row)], unlink: (key) => [remove(key)] };
}
