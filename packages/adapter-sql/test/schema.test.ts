import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { DialectName, Engine } from '../src/dialect.ts';
import { type IdType, migrate, type SqlSchema, schemaSql } from '../src/index.ts';
import { bareOf } from './bare.ts';
import { type Catalogue, catalogOf, dropAll } from './catalog.ts';
import { run } from './engines/things.ts';
import { dialectPlaces } from './place.ts';
import { ada } from './samples.ts';

/** The reference schema: each column with its kind. */
const specified = {
  auth_users: { email: 'key', emailVerified: 'date', image: 'text', name: 'text' },
  auth_accounts: {
    access_token: 'text',
    createdAt: 'date',
    expires_at: 'number',
    id_token: 'text',
    label: 'text',
    provider: 'key',
    providerAccountId: 'key',
    refresh_token: 'text',
    scope: 'text',
    session_state: 'text',
    token_type: 'text',
    type: 'text',
    user: 'link',
  },
  auth_sessions: { expires: 'date', sessionToken: 'key', user: 'link' },
  auth_verificationTokens: { expires: 'date', identifier: 'key', token: 'key' },
  auth_users_accounts: { account: 'link', user: 'link' },
  auth_users_sessions: { session: 'link', user: 'link' },
  auth_authenticators: {
    counter: 'number',
    createdAt: 'date',
    credentialBackedUp: 'boolean',
    credentialDeviceType: 'text',
    credentialID: 'key',
    credentialPublicKey: 'text',
    name: 'text',
    providerAccountId: 'key',
    transports: 'text',
    usedAt: 'date',
    user: 'link',
  },
} as const;

const indexes = {
  'auth_users (email)': 'unique',
  'auth_accounts (provider, providerAccountId)': 'unique',
  'auth_sessions (sessionToken)': 'unique',
  'auth_verificationTokens (identifier, token)': 'unique',
  'auth_authenticators (credentialID)': 'unique',
  'auth_accounts (user)': 'plain',
  'auth_sessions (user)': 'plain',
  'auth_sessions (expires)': 'plain',
  'auth_verificationTokens (expires)': 'plain',
  'auth_authenticators (user)': 'plain',
  'auth_users_accounts (account)': 'plain',
  'auth_users_accounts (user)': 'plain',
  'auth_users_sessions (session)': 'plain',
  'auth_users_sessions (user)': 'plain',
};

const types = {
  sqlite: { key: 'text', text: 'text', date: 'text', number: 'integer', boolean: 'integer' },
  postgres: {
    key: 'text collate C',
    text: 'text',
    date: 'timestamp(3) with time zone',
    number: 'bigint',
    boolean: 'boolean',
  },
  mysql: {
    key: 'varchar(255) collate utf8mb4_bin',
    text: 'mediumtext collate utf8mb4_bin',
    date: 'datetime(3)',
    number: 'bigint',
    boolean: 'tinyint(1)',
  },
};

/** The type of a link, and the description of a primary key. */
const ids: Readonly<Record<DialectName, Readonly<Record<IdType, readonly [link: string, id: string]>>>> = {
  sqlite: {
    text: ['text', 'text not null'],
    uuid: ['text', 'text not null'],
    integer: ['integer', 'integer not null'],
    bigint: ['integer', 'integer not null'],
  },
  postgres: {
    text: ['text', 'text not null'],
    uuid: ['uuid', 'uuid not null'],
    integer: ['integer', 'integer not null default identity'],
    bigint: ['bigint', 'bigint not null default identity'],
  },
  mysql: {
    text: ['varchar(255) collate utf8mb4_bin', 'varchar(255) not null collate utf8mb4_bin'],
    uuid: ['char(36) collate ascii_bin', 'char(36) not null collate ascii_bin'],
    integer: ['int', 'int not null default auto_increment'],
    bigint: ['bigint', 'bigint not null default auto_increment'],
  },
};

function expected(dialect: DialectName, type: IdType): Catalogue {
  const [link, id] = ids[dialect][type];
  const columns: Record<string, string> = {};
  const keys: Record<string, string> = {};
  for (const [table, fields] of Object.entries(specified)) {
    keys[`${table} (id)`] = 'primary';
    columns[`${table}.id`] = id;
    for (const [field, kind] of Object.entries(fields))
      columns[`${table}.${field}`] = kind === 'link' ? link : types[dialect][kind as keyof (typeof types)['sqlite']];
  }
  for (const [index, what] of Object.entries(indexes))
    keys[index] = `${what} ${index.replaceAll(/ \(|, /g, '_').slice(0, -1)}`;
  return { columns, indexes: keys };
}

const idTypes = ['text', 'uuid', 'integer', 'bigint'] as const;

describe.each(dialectPlaces)('the schema on $name', (kind) => {
  const place = bareOf(kind);
  const tried = dialectPlaces.includes(kind) ? idTypes : idTypes.slice(0, 1);

  // Two types are enough for `schemaSql`, because MariaDB needs a second to create the tables.
  const printed: ReadonlySet<IdType> = new Set(['text', 'integer']);

  it.each(tried)('is the reference schema with ids of type %s, and schemaSql returns it', async (type) => {
    const { db, engine } = place;
    const schema = { ids: { type } };
    const report = await migrate(db, { schema });
    const migrated = await catalogOf(engine);
    expect(migrated).toEqual(expected(kind.dialect, type));
    expect(report.duplicates).toEqual([]);
    expect([...report.added].sort()).toEqual(
      [
        ...Object.keys(specified).map((table) => `table ${table}`),
        ...Object.entries(indexes).map(
          ([index, what]) => `${what === 'unique' ? 'unique index' : 'index'} on ${index}`,
        ),
      ].sort(),
    );
    expect(await migrate(db, { schema })).toEqual({ added: [], duplicates: [] });
    if (!printed.has(type)) return;
    await dropAll(engine);
    await runAll(engine, schemaSql(kind.dialect, schema));
    expect(await catalogOf(engine)).toEqual(migrated);
    expect(await migrate(db, { schema })).toEqual({ added: [], duplicates: [] });
  });
});

describe.each(dialectPlaces)('the schema on $name', (kind) => {
  const place = bareOf(kind);

  it('has the given names without the omitted columns and tables, and schemaSql returns it', async () => {
    const { db, engine } = place;
    const long = 'a_name_that_leaves_little_room_for_what_an_index_is_called';
    const schema: SqlSchema = {
      ids: { type: 'integer' },
      dates: 'milliseconds',
      tables: {
        users: { name: 'order', columns: { email: 'Mail', image: null } },
        accounts: { name: long, columns: { access_token: null } },
        userAccounts: null,
        userSessions: null,
        authenticators: null,
      },
    };
    await migrate(db, { schema });
    const migrated = await catalogOf(engine);
    const has = (name: string) => Object.hasOwn(migrated.columns, name);
    expect(['order.Mail', 'order.name', `${long}.user`, 'auth_sessions.id'].filter((name) => !has(name))).toEqual([]);
    expect(['order.image', 'order.email', `${long}.access_token`, 'auth_users_accounts.id'].filter(has)).toEqual([]);
    expect(migrated.columns['auth_sessions.expires']).toBe(types[kind.dialect].number);
    const names = Object.values(migrated.indexes).filter((what) => what !== 'primary');
    expect(names.length).toBe(8);
    expect(names.filter((name) => name.length > 63 + 'unique '.length)).toEqual([]);
    await dropAll(engine);
    await runAll(engine, schemaSql(kind.dialect, schema));
    expect(await catalogOf(engine)).toEqual(migrated);
    expect(await migrate(db, { schema })).toEqual({ added: [], duplicates: [] });
  });

  it('never gives the id of a deleted user to a new user', async () => {
    const { adapter, engine } = place.with({ schema: { ids: { type: 'integer' } } });
    const first = await adapter.createUser({ ...ada, email: 'first' });
    const second = await adapter.createUser({ ...ada, email: 'second' });
    // As an application does that does not use the other tables.
    await run(engine, sql`delete from ${sql.table('auth_users')} where id = ${Number(second.id)}`);
    const third = await adapter.createUser({ ...ada, email: 'third' });
    expect(new Set([first.id, second.id, third.id]).size).toBe(3);
    await adapter.deleteUser(third.id);
    expect([first.id, second.id, third.id]).not.toContain((await adapter.createUser({ ...ada, email: 'fourth' })).id);
  });
});

it('schemaSql refuses an unknown dialect and lists the supported ones', () => {
  expect(() => schemaSql('db2' as 'sqlite')).toThrow('the dialect must be one of sqlite, postgres, mysql: "db2"');
});

async function runAll(engine: Engine, statements: string): Promise<void> {
  for (const statement of statements.split(';\n').filter(Boolean)) await run(engine, sql.raw(statement));
}
