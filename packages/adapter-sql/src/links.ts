import { type RawBuilder, sql } from 'kysely';
import type { Encoded } from './codec.ts';
import type { Query } from './dialect.ts';
import type { TableId } from './schema/fields.ts';
import { type SlotOf, statement } from './statement.ts';
import type { Store } from './store.ts';

/** A link table: which rows it links to their users, and in which of its fields. */
interface LinkTable {
  readonly table: 'userAccounts' | 'userSessions';
  readonly field: 'accountId' | 'sessionId';
  readonly of: TableId;
}

/** Statements about a link table, each for the row that a key names; none where the schema has no link tables. */
export interface Links {
  link(row: Encoded): Query[];
  /** `userId`: the row's new owner. */
  relink(row: Encoded): Query[];
  unlink(key: Encoded): Query[];
}

/** The links of the rows that `isKey` finds. */
export function linksOf(
  store: Store,
  { table: id, field, of }: LinkTable,
  isKey: (slot: SlotOf<Encoded>) => RawBuilder<boolean>,
): Links {
  const { write } = store;
  const [links, rows] = [store.maybe(id), store.table(of)];
  if (!links) return { link: () => [], relink: () => [], unlink: () => [] };
  const target = links.ref(field);
  const rowId = rows.ref('id');
  const found = (slot: SlotOf<Encoded>) =>
    sql<boolean>`${target} in (select ${rowId} from ${sql.table(rows.name)} where ${isKey(slot)})`;
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
          .where(isKey(slot)),
      ),
  );
  const update = statement<Encoded>((slot) =>
    write
      .updateTable(links.name)
      .set({ [links.column('userId')]: slot('userId') })
      .where(found(slot)),
  );
  const remove = statement<Encoded>((slot) => write.deleteFrom(links.name).where(found(slot)));
  return { link: (row) => [insert(row)], relink: (row) => [update(row)], unlink: (key) => [remove(key)] };
}
