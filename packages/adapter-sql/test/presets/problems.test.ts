import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { type DialectName, migrate, SqlAdapter, type SqlSchema, schemaSql } from '../../src/index.ts';

const TABLES = 'users, accounts, sessions, verificationTokens, authenticators, userAccounts, userSessions';

/** Schemas that somebody may write, and all that is wrong with each. */
const wrong: readonly [what: string, schema: unknown, problems: string[], dialect?: DialectName][] = [
  [
    'a preset that there is none of',
    { preset: 'mongodb-adapter' },
    ['no preset `mongodb-adapter`. There are: pg-adapter, kysely-adapter, drizzle-adapter, prisma-adapter'],
  ],
  [
    'a member of every object for a preset',
    { preset: 'toString' },
    ['no preset `toString`. There are: pg-adapter, kysely-adapter, drizzle-adapter, prisma-adapter'],
  ],
  [
    'a misspelt option',
    { preSet: 'pg-adapter' },
    ['no `schema.preSet`. There are: preset, ids, dates, stamps, tables'],
  ],
  [
    'ids of a kind that there is none of',
    { ids: { type: 'serial' } },
    ['`schema.ids.type` must be one of text, uuid, integer, bigint'],
  ],
  ['somebody else who makes ids', { ids: { madeBy: 'me' } }, ['`schema.ids.madeBy` must be `latchkey` or `database`']],
  [
    'numbers that we make',
    { ids: { type: 'integer', madeBy: 'latchkey' } },
    ['ids of type integer are made by the database: leave `schema.ids.madeBy` out'],
  ],
  [
    'ids that a database cannot tell',
    { ids: { type: 'uuid', madeBy: 'database' } },
    ['mysql cannot tell an id of type uuid that it made: let Latchkey make it'],
    'mysql',
  ],
  [
    'a maker of ids that the database makes',
    { ids: { type: 'bigint', make: () => '1' } },
    ['`schema.ids.make` is a function for ids that Latchkey makes'],
  ],
  ['a maker that is none', { ids: { make: 'uuid' } }, ['`schema.ids.make` is a function for ids that Latchkey makes']],
  ['a misspelt option of ids', { ids: { kind: 'uuid' } }, ['no `schema.ids.kind`. There are: type, madeBy, make']],
  [
    'ids that are a word',
    { ids: 'uuid' },
    ['`schema.ids` must be an object with members of these names: type, madeBy, make'],
  ],
  ['another date format', { dates: 'seconds' }, ['`schema.dates` must be `native` or `milliseconds`']],
  [
    'a table that there is none of',
    { tables: { user: 'people' } },
    [`no \`schema.tables.user\`. There are: ${TABLES}`],
  ],
  [
    'a member of every object for a table',
    { tables: { constructor: 'people' } },
    [`no \`schema.tables.constructor\`. There are: ${TABLES}`],
  ],
  [
    'tables that are a list',
    { tables: ['people'] },
    [`\`schema.tables\` must be an object with members of these names: ${TABLES}`],
  ],
  [
    'a table that is needed, left out',
    { tables: { sessions: null } },
    ['`schema.tables.sessions` cannot be null: the adapter needs it'],
  ],
  [
    'a number for a table',
    { tables: { users: 5 } },
    ['`schema.tables.users` must be an object with members of these names: name, columns'],
  ],
  [
    'a misspelt option of a table',
    { tables: { users: { table: 'people' } } },
    ['no `schema.tables.users.table`. There are: name, columns'],
  ],
  ...['users"; drop table users; --', '', 'a b', 'üser', '1st', 'a.b.c', 'a.', 'x'.repeat(64)].map(
    (name): [string, unknown, string[]] => [
      `the name ${JSON.stringify(name.slice(0, 30))} for a table`,
      { tables: { users: name } },
      [`\`schema.tables.users\`: ${JSON.stringify(name)} is no name for a table`],
    ],
  ),
  ...['name"', 'a.b', '', 'x'.repeat(64), 7].map((column): [string, unknown, string[]] => [
    `the name ${JSON.stringify(column).slice(0, 30)} for a column`,
    { tables: { users: { columns: { email: column } } } },
    [`\`schema.tables.users.columns.email\`: ${JSON.stringify(column)} is no name for a column`],
  ]),
  [
    'a column of a field that there is none of',
    { tables: { users: { columns: { role: 'role' } } } },
    ['no `schema.tables.users.columns.role`. There are: id, email, emailVerified, image, name'],
  ],
  [
    'columns that are needed, left out',
    {
      tables: {
        users: { columns: { id: null, email: null, emailVerified: null } },
        sessions: { columns: { userId: null, expires: null } },
        authenticators: { columns: { counter: null } },
      },
    },
    [
      '`schema.tables.users.columns.id` cannot be null',
      '`schema.tables.users.columns.email` cannot be null',
      '`schema.tables.users.columns.emailVerified` cannot be null',
      '`schema.tables.sessions.columns.expires` cannot be null',
      '`schema.tables.sessions.columns.userId` cannot be null',
      '`schema.tables.authenticators.columns.counter` cannot be null',
    ],
  ],
  [
    'two fields in one column',
    { tables: { users: { columns: { name: 'email' } } } },
    ['`schema.tables.users`: two fields have the column `email`'],
  ],
  [
    'two tables of one name',
    { tables: { users: 'auth_accounts' } },
    ['`schema.tables`: two tables are called `auth_accounts`'],
  ],
  [
    'links to rows without an id',
    { tables: { accounts: { columns: { id: null } }, sessions: { columns: { id: null } } } },
    [
      '`schema.tables.userAccounts` needs accounts with an id: set it to null',
      '`schema.tables.userSessions` needs sessions with an id: set it to null',
    ],
  ],
  ['a misspelt stamp', { stamps: { changed: 'at' } }, ['no `schema.stamps.changed`. There are: created, updated']],
  [
    'a stamp that is no name',
    { stamps: { updated: 'updated at' } },
    ['`schema.stamps.updated`: "updated at" is no name for a column'],
  ],
  [
    'a stamp in the column of a field',
    { stamps: { updated: 'expires' } },
    ['`schema.stamps`: the column `expires` is that of a field'],
  ],
  [
    'one column for both stamps',
    { stamps: { created: 'at', updated: 'at' } },
    ['`schema.stamps`: `updated` is set when a row is inserted, too: leave `created` out'],
  ],
  [
    'everything at once',
    { preset: 'pg', ids: { type: 'int' }, dates: 'iso', tables: { users: 'a b', sessions: null, foo: 'bar' } },
    [
      'no preset `pg`. There are: pg-adapter, kysely-adapter, drizzle-adapter, prisma-adapter',
      '`schema.ids.type` must be one of text, uuid, integer, bigint',
      '`schema.dates` must be `native` or `milliseconds`',
      `no \`schema.tables.foo\`. There are: ${TABLES}`,
      '`schema.tables.users`: "a b" is no name for a table',
      '`schema.tables.sessions` cannot be null: the adapter needs it',
    ],
  ],
];

describe('a schema is refused with all of its problems, and no other', () => {
  it.each(wrong)('%s', (_, schema, problems, dialect = 'sqlite') => {
    const error = thrownBy(() => schemaSql(dialect, schema as SqlSchema));
    expect(error).toBeInstanceOf(TypeError);
    expect(error?.message).toBe(`SqlAdapter: ${problems.join('; ')}`);
  });

  it('when the adapter is made, and when it is migrated, before anything is run', async () => {
    const db = new DatabaseSync(':memory:');
    const schema = { preset: 'pg' } as unknown as SqlSchema;
    expect(() => SqlAdapter(db, { schema })).toThrow(/^SqlAdapter: no preset `pg`/);
    expect(() => SqlAdapter(db, { schema: 'pg' as 'pg-adapter' })).toThrow(/^SqlAdapter: no preset `pg`/);
    await expect(migrate(db, { schema })).rejects.toThrow(/^SqlAdapter: no preset `pg`/);
    expect(db.prepare('select * from sqlite_schema').all()).toEqual([]);
  });

  it('and a sound one is not', () => {
    const schemas: SqlSchema[] = [
      {},
      { preset: 'prisma-adapter', ids: { type: 'integer' }, stamps: { created: null } },
      { tables: { users: 'auth.users', userAccounts: null, userSessions: null, authenticators: null } },
      { tables: { users: { columns: { name: null } } }, ids: undefined },
      { ids: { type: 'uuid', make: () => crypto.randomUUID() }, dates: 'milliseconds' },
    ];
    for (const schema of schemas) expect(schemaSql('postgres', schema)).toMatch(/^create table/);
  });
});

function thrownBy(work: () => unknown): Error | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    return error as Error;
  }
}
