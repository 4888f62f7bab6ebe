import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { type DialectName, migrate, SqlAdapter, type SqlSchema, schemaSql } from '../../src/index.ts';

const TABLES = 'users, accounts, sessions, verificationTokens, authenticators, userAccounts, userSessions';

/** Wrong schemas, and all their problems. */
const wrong: readonly [schema: unknown, problems: string[], dialect?: DialectName][] = [
  [
    { preset: 'mongodb-adapter' },
    ['`schema.preset` must be one of pg-adapter, kysely-adapter, drizzle-adapter, prisma-adapter'],
  ],
  [
    { preset: 'toString' },
    ['`schema.preset` must be one of pg-adapter, kysely-adapter, drizzle-adapter, prisma-adapter'],
  ],
  [{ preSet: 'pg-adapter' }, ['`schema.preSet` is not an option. Use one of: preset, ids, dates, stamps, tables']],
  [{ ids: { type: 'serial' } }, ['`schema.ids.type` must be one of text, uuid, integer, bigint']],
  [{ ids: { madeBy: 'me' } }, ['`schema.ids.madeBy` must be `latchkey` or `database`']],
  [
    { ids: { type: 'integer', madeBy: 'latchkey' } },
    ['`schema.ids.madeBy` must be `database` for ids of type integer'],
  ],
  [
    { ids: { type: 'uuid', madeBy: 'database' } },
    ['`schema.ids.madeBy` must be `latchkey`: mysql does not return ids of type uuid'],
    'mysql',
  ],
  [
    { ids: { type: 'bigint', make: () => '1' } },
    ['`schema.ids.make` must be a function, and only for ids that Latchkey makes'],
  ],
  [{ ids: { make: 'uuid' } }, ['`schema.ids.make` must be a function, and only for ids that Latchkey makes']],
  [{ ids: { kind: 'uuid' } }, ['`schema.ids.kind` is not an option. Use one of: type, madeBy, make']],
  [{ ids: 'uuid' }, ['`schema.ids` must be an object with members of these names: type, madeBy, make']],
  [{ dates: 'seconds' }, ['`schema.dates` must be `native` or `milliseconds`']],
  [{ tables: { user: 'people' } }, [`\`schema.tables.user\` is not an option. Use one of: ${TABLES}`]],
  [{ tables: { constructor: 'people' } }, [`\`schema.tables.constructor\` is not an option. Use one of: ${TABLES}`]],
  [{ tables: ['people'] }, [`\`schema.tables\` must be an object with members of these names: ${TABLES}`]],
  [{ tables: { sessions: null } }, ['`schema.tables.sessions` must not be null. The adapter needs this table']],
  [{ tables: { users: 5 } }, ['`schema.tables.users` must be an object with members of these names: name, columns']],
  [
    { tables: { users: { table: 'people' } } },
    ['`schema.tables.users.table` is not an option. Use one of: name, columns'],
  ],
  ...['users"; drop table users; --', '', 'a b', 'üser', '1st', 'a.b.c', 'a.', 'x'.repeat(64)].map(
    (name): [unknown, string[]] => [
      { tables: { users: name } },
      [`\`schema.tables.users\` must be a table's name: ${JSON.stringify(name)}`],
    ],
  ),
  ...['name"', 'a.b', '', 'x'.repeat(64), 7].map((column): [unknown, string[]] => [
    { tables: { users: { columns: { email: column } } } },
    [`\`schema.tables.users.columns.email\` must be a column's name: ${JSON.stringify(column)}`],
  ]),
  [
    { tables: { users: { columns: { role: 'role' } } } },
    ['`schema.tables.users.columns.role` is not an option. Use one of: id, email, emailVerified, image, name'],
  ],
  [
    {
      tables: {
        users: { columns: { id: null, email: null, emailVerified: null } },
        sessions: { columns: { userId: null, expires: null } },
        authenticators: { columns: { counter: null } },
      },
    },
    [
      '`schema.tables.users.columns.id` must not be null',
      '`schema.tables.users.columns.email` must not be null',
      '`schema.tables.users.columns.emailVerified` must not be null',
      '`schema.tables.sessions.columns.expires` must not be null',
      '`schema.tables.sessions.columns.userId` must not be null',
      '`schema.tables.authenticators.columns.counter` must not be null',
    ],
  ],
  [
    { tables: { users: { columns: { name: 'email' } } } },
    ['`schema.tables.users` must not name the column `email` twice'],
  ],
  [
    { tables: { users: { columns: { name: 'Email' } } } },
    ['`schema.tables.users` must not name the column `Email` twice'],
  ],
  [
    { tables: { users: { columns: { name: 'Email' } } } },
    ['`schema.tables.users` must not name the column `Email` twice'],
    'mysql',
  ],
  [{ tables: { users: 'AUTH_accounts' } }, ['`schema.tables` must not name the table `auth_accounts` twice']],
  [{ tables: { users: 'auth_accounts' } }, ['`schema.tables` must not name the table `auth_accounts` twice']],
  [
    { tables: { accounts: { columns: { id: null } }, sessions: { columns: { id: null } } } },
    [
      '`schema.tables.userAccounts` must be null, because accounts have no id',
      '`schema.tables.userSessions` must be null, because sessions have no id',
    ],
  ],
  [{ stamps: { changed: 'at' } }, ['`schema.stamps.changed` is not an option. Use one of: created, updated']],
  [{ stamps: { updated: 'updated at' } }, ['`schema.stamps.updated` must be a column\'s name: "updated at"']],
  [{ stamps: { updated: 'Expires' } }, ['`schema.stamps` must not name `Expires`, which is the column of a field']],
  [{ stamps: { updated: 'expires' } }, ['`schema.stamps` must not name `expires`, which is the column of a field']],
  [
    { stamps: { created: 'at', updated: 'at' } },
    ['`schema.stamps.created` must differ from `updated`, which is also set when a row is inserted'],
  ],
  [
    { preset: 'pg', ids: { type: 'int' }, dates: 'iso', tables: { users: 'a b', sessions: null, foo: 'bar' } },
    [
      '`schema.preset` must be one of pg-adapter, kysely-adapter, drizzle-adapter, prisma-adapter',
      '`schema.ids.type` must be one of text, uuid, integer, bigint',
      '`schema.dates` must be `native` or `milliseconds`',
      `\`schema.tables.foo\` is not an option. Use one of: ${TABLES}`,
      '`schema.tables.users` must be a table\'s name: "a b"',
      '`schema.tables.sessions` must not be null. The adapter needs this table',
    ],
  ],
];

describe('a wrong schema is refused with all its problems', () => {
  it.each(wrong)('%j', (schema, problems, dialect = 'sqlite') => {
    const error = thrownBy(() => schemaSql(dialect, schema as SqlSchema));
    expect(error).toBeInstanceOf(TypeError);
    expect(error?.message).toBe(`SqlAdapter: ${problems.join('; ')}`);
  });

  it('when the adapter is created and when it is migrated, before a statement runs', async () => {
    const db = new DatabaseSync(':memory:');
    const schema = { preset: 'pg' } as unknown as SqlSchema;
    expect(() => SqlAdapter(db, { schema })).toThrow(/^SqlAdapter: `schema.preset` must be one of/);
    expect(() => SqlAdapter(db, { schema: 'pg' as 'pg-adapter' })).toThrow(
      /^SqlAdapter: `schema.preset` must be one of/,
    );
    await expect(migrate(db, { schema })).rejects.toThrow(/^SqlAdapter: `schema.preset` must be one of/);
    expect(db.prepare('select * from sqlite_schema').all()).toEqual([]);
  });

  it('and a correct one is accepted', () => {
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
