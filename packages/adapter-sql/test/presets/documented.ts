import type { DialectName, PresetName } from '../../src/index.ts';

/** A database as the documentation of another adapter describes it. */
export interface Documented {
  readonly title: string;
  readonly preset: PresetName;
  readonly dialect: DialectName;
  /** Statements that create it, with the quotes of the dialect. */
  readonly statements: readonly string[];
}

/** The types of a database's columns. */
interface Types {
  /** Ids and links. */
  readonly id: string;
  /** Keys. */
  readonly key: string;
  readonly text: string;
  readonly instant: string;
  /** Dates without milliseconds. */
  readonly seconds?: string;
  readonly expiresAt: string;
  /** ID tokens, if they are longer than other text. */
  readonly idToken?: string;
  readonly boolean: string;
  /** Options of a table: its character set. */
  readonly table?: string;
}

/** A further column of the application. */
const role = `role varchar(20) not null default 'reader'`;

const tokens = (text: string, idToken = text) =>
  `refresh_token ${text}, access_token ${text}, token_type ${text}, scope ${text}, id_token ${idToken}, session_state ${text}`;

/** https://authjs.dev/getting-started/adapters/pg: only verification tokens are unique. */
const pg = `
  create table verification_token (
    identifier text not null, expires timestamptz not null, token text not null, primary key (identifier, token)
  );
  create table accounts (
    id serial primary key, "userId" integer not null, type varchar(255) not null, provider varchar(255) not null,
    "providerAccountId" varchar(255) not null, expires_at bigint, ${tokens('text')}
  );
  create table sessions (
    id serial primary key, "userId" integer not null, expires timestamptz not null, "sessionToken" varchar(255) not null
  );
  create table users (
    id serial primary key, name varchar(255), email varchar(255), "emailVerified" timestamptz, image text, ${role}
  )`;

/** https://authjs.dev/getting-started/adapters/kysely: the database makes the ids of all tables but the last. */
function kysely({ id, key, text, instant, expiresAt, table = '' }: Types, made: { uuid: string; row: string }): string {
  const owner = `"userId" ${id} not null references "User" (id) on delete cascade`;
  return `
  create table "User" (
    id ${id} ${made.uuid} primary key, name ${text}, email ${key} unique not null, "emailVerified" ${instant}, image ${text}, ${role}
  ) ${table};
  create table "Account" (
    id ${made.row}, ${owner}, type ${text} not null, provider ${key} not null, "providerAccountId" ${key} not null,
    expires_at ${expiresAt}, ${tokens(text)}
  ) ${table};
  create table "Session" (
    id ${made.row}, ${owner}, "sessionToken" ${key} not null unique, expires ${instant} not null
  ) ${table};
  create table "VerificationToken" (
    identifier ${text} not null, token ${key} not null unique, expires ${instant} not null
  ) ${table};
  create index "Account_userId_index" on "Account" ("userId");
  create index "Session_userId_index" on "Session" ("userId")`;
}

/**
 * https://authjs.dev/getting-started/adapters/drizzle, with the primary keys of the adapter's own tables, or without.
 */
function drizzle(types: Types, hasKeys = true): string {
  const { id, key, text, instant, seconds = instant, expiresAt, idToken, boolean, table = '' } = types;
  const owner = `"userId" ${id} not null references "user" (id) on delete cascade`;
  const primary = (columns: string) => (hasKeys ? `, primary key (${columns})` : '');
  return `
  create table "user" (
    id ${id} primary key, name ${key}, email ${key} unique, "emailVerified" ${instant}, image ${key}, ${role}
  ) ${table};
  create table "account" (
    ${owner}, type ${key} not null, provider ${key} not null, "providerAccountId" ${key} not null,
    expires_at ${expiresAt}, ${tokens(text, idToken)}${primary('provider, "providerAccountId"')}
  ) ${table};
  create table "session" ("sessionToken" ${key} primary key, ${owner}, expires ${seconds} not null) ${table};
  create table "verificationToken" (
    identifier ${key} not null, token ${key} not null, expires ${seconds} not null${primary('identifier, token')}
  ) ${table};
  create table "authenticator" (
    "credentialID" ${key} not null unique, ${owner}, "providerAccountId" ${key} not null,
    "credentialPublicKey" ${key} not null, counter ${expiresAt} not null, "credentialDeviceType" ${key} not null,
    "credentialBackedUp" ${boolean} not null, transports ${key}${primary('"userId", "credentialID"')}
  ) ${table}`;
}

/**
 * https://authjs.dev/getting-started/adapters/prisma as `prisma migrate` makes it. The newer documentation knows
 * accounts and sessions by their keys, the older one gives them an id, which Prisma makes.
 */
function prisma(types: Types & { now: string }, age: 'newer' | 'older'): string {
  const { id, key, text, instant, expiresAt, boolean, now, table = '' } = types;
  const stamps = `"createdAt" ${instant} not null default ${now}, "updatedAt" ${instant} not null`;
  const owner = `"userId" ${id} not null references "User" (id) on delete cascade on update cascade`;
  const own = age === 'older' ? `id ${id} not null primary key, ` : '';
  const primary = age === 'newer' ? ', primary key (provider, "providerAccountId")' : '';
  return `
  create table "User" (
    id ${id} not null primary key, name ${key}, email ${key}${age === 'newer' ? ' not null' : ''}, "emailVerified" ${instant}, image ${key}, ${stamps}, ${role}
  ) ${table};
  create table "Account" (
    ${own}${owner}, type ${key} not null, provider ${key} not null, "providerAccountId" ${key} not null,
    expires_at ${expiresAt}, ${tokens(text)}, ${stamps}${primary}
  ) ${table};
  create table "Session" (${own}"sessionToken" ${key} not null, ${owner}, expires ${instant} not null, ${stamps}) ${table};
  create table "VerificationToken" (identifier ${key} not null, token ${key} not null, expires ${instant} not null) ${table};
  create table "Authenticator" (
    "credentialID" ${key} not null, ${owner}, "providerAccountId" ${key} not null, "credentialPublicKey" ${key} not null,
    counter ${expiresAt} not null, "credentialDeviceType" ${key} not null, "credentialBackedUp" ${boolean} not null,
    transports ${key}, primary key ("userId", "credentialID")
  ) ${table};
  create unique index "User_email_key" on "User" (email);
  ${age === 'older' ? 'create unique index "Account_provider_providerAccountId_key" on "Account" (provider, "providerAccountId");' : ''}
  create unique index "Session_sessionToken_key" on "Session" ("sessionToken");
  create unique index "VerificationToken_identifier_token_key" on "VerificationToken" (identifier, token);
  create unique index "Authenticator_credentialID_key" on "Authenticator" ("credentialID")`;
}

const sqlite: Types = {
  id: 'text',
  key: 'text',
  text: 'text',
  instant: 'text',
  expiresAt: 'integer',
  boolean: 'integer',
};
const postgres: Types = { ...sqlite, instant: 'timestamp(3)', boolean: 'boolean' };
const mysql: Types = {
  id: 'varchar(255)',
  key: 'varchar(255)',
  text: 'text',
  instant: 'datetime(3)',
  expiresAt: 'bigint',
  boolean: 'boolean',
  // The default collation of many servers, in which similar letters are equal.
  table: 'default character set utf8mb4 collate utf8mb4_unicode_ci',
};

const madeByMysql = { uuid: 'default (uuid())', row: 'char(36) default (uuid()) primary key' };

/** The documented databases. */
export const documented = {
  pg: database('pg-adapter', 'postgres', pg),
  kyselySqlite: database(
    'kysely-adapter',
    'sqlite',
    kysely(sqlite, { uuid: '', row: 'integer primary key autoincrement' }),
  ),
  kyselyPostgres: database(
    'kysely-adapter',
    'postgres',
    kysely(
      { ...postgres, id: 'uuid', instant: 'timestamptz', expiresAt: 'bigint' },
      { uuid: 'default gen_random_uuid()', row: 'uuid default gen_random_uuid() primary key' },
    ),
  ),
  kyselyMysql: database('kysely-adapter', 'mysql', kysely({ ...mysql, id: 'char(36)' }, madeByMysql)),
  kyselyMysqlInBytes: database(
    'kysely-adapter',
    'mysql',
    kysely({ ...mysql, id: 'char(36)', table: 'default character set utf8mb4 collate utf8mb4_bin' }, madeByMysql),
    ', in bytes',
  ),
  drizzleSqlite: database('drizzle-adapter', 'sqlite', drizzle({ ...sqlite, instant: 'integer' })),
  drizzlePostgres: database('drizzle-adapter', 'postgres', drizzle({ ...postgres, instant: 'timestamp' })),
  // Drizzle ignores the primary keys of its documentation.
  drizzleWithoutKeys: database(
    'drizzle-adapter',
    'postgres',
    drizzle({ ...postgres, instant: 'timestamp' }, false),
    ', without keys',
  ),
  drizzleMysql: database(
    'drizzle-adapter',
    'mysql',
    drizzle({
      ...mysql,
      text: 'varchar(255)',
      instant: 'timestamp(3) null',
      seconds: 'timestamp',
      expiresAt: 'int',
      idToken: 'varchar(2048)',
    }),
  ),
  prismaSqlite: database(
    'prisma-adapter',
    'sqlite',
    prisma({ ...sqlite, instant: 'datetime', now: 'current_timestamp' }, 'newer'),
  ),
  prismaSqliteOlder: database(
    'prisma-adapter',
    'sqlite',
    prisma({ ...sqlite, instant: 'datetime', now: 'current_timestamp' }, 'older'),
    ', older',
  ),
  prismaPostgres: database('prisma-adapter', 'postgres', prisma({ ...postgres, now: 'current_timestamp' }, 'newer')),
  prismaPostgresOlder: database(
    'prisma-adapter',
    'postgres',
    prisma({ ...postgres, now: 'current_timestamp' }, 'older'),
    ', older',
  ),
  prismaMysql: database(
    'prisma-adapter',
    'mysql',
    prisma(
      { ...mysql, id: 'varchar(191)', key: 'varchar(191)', expiresAt: 'integer', now: 'current_timestamp(3)' },
      'older',
    ),
    ', older',
  ),
} as const satisfies Record<string, Documented>;

/** Returns a statement with the quotes of the dialect. */
export function inDialect(dialect: DialectName, statement: string): string {
  return dialect === 'mysql' ? statement.replaceAll('"', '`') : statement;
}

function database(preset: PresetName, dialect: DialectName, script: string, note = ''): Documented {
  const statements = script
    .split(';')
    .map((statement) => inDialect(dialect, statement.trim()))
    .filter(Boolean);
  return { title: `${preset} on ${dialect}${note}`, preset, dialect, statements };
}
