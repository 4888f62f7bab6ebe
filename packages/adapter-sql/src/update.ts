import { type RawBuilder, sql } from 'kysely';
import type { Encoded } from './codec.ts';
import type { Step } from './dialect.ts';
import { stamped } from './insert.ts';
import { type SlotOf, statement } from './statement.ts';
import type { Store } from './store.ts';
import type { Table } from './table.ts';

/** Which fields an update may change, which the row is known by, and which the caller wants to see afterwards, if any. */
interface ChangeOptions {
  readonly fields: readonly string[];
  readonly key: readonly string[];
  readonly returned?: readonly string[];
}

/**
 * Changes some of a row's fields. One statement serves for every choice of them: beside the value of each goes whether there
 * is one. The last of the steps tells the row as it is then, where anybody wants to see it.
 */
export function changes(
  store: Store,
  table: Table,
  { fields, key, returned = [] }: ChangeOptions,
): (input: Encoded) => Step[] {
  const { write, dialect } = store;
  const present = fields.filter((field) => table.has(field));
  const where = (slot: SlotOf<Encoded>) =>
    sql<boolean>`${sql.join(
      key.map((field) => table.is(field, slot(`key_${field}`))),
      sql` and `,
    )}`;
  const update = statement<Encoded>((slot) => {
    const values: Record<string, RawBuilder<never>> = Object.fromEntries([
      ...present.map((field) => [table.column(field), changed(table, field, slot)]),
      ...table.stamps.updated.map((column) => [column, sql`${slot('now')}`]),
    ]);
    const query = write.updateTable(table.name).set(values).where(where(slot));
    return dialect.returning && returned.length > 0 ? query.returning(table.read(...returned)) : query;
  });
  if (dialect.returning || returned.length === 0) return (input) => [update(input)];
  const select = statement<Encoded>((slot) =>
    write
      .selectFrom(table.name)
      .select(table.read(...returned))
      .where(where(slot)),
  );
  return (input) => [update(input), select(input)];
}

/**
 * The input of {@link changes}: members that are `undefined` stay as they are.
 *
 * @throws {TypeError} when a value cannot be stored.
 */
export function changeOf(
  store: Store,
  table: Table,
  members: object,
  fields: readonly string[],
  key: Readonly<Record<string, Encoded[string]>>,
): Encoded {
  const input: Encoded = table.encode(members, fields);
  for (const field of fields) input[`has_${field}`] = members[field as keyof typeof members] === undefined ? 0 : 1;
  for (const [field, value] of Object.entries(key)) input[`key_${field}`] = value;
  return stamped(store, table, input);
}

function changed(table: Table, field: string, slot: SlotOf<Encoded>): RawBuilder<never> {
  return sql`case when ${slot(`has_${field}`)} = 1 then ${slot(field)} else ${sql.ref(table.column(field))} end`;
}
