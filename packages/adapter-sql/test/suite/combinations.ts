import { adapterSuite, type SuiteRunner } from '@latchkey/testing/adapter-suite';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DialectName, Engine } from '../../src/dialect.ts';
import { SqlAdapter, type SqlIds, type SqlSchema, schemaSql } from '../../src/index.ts';
import type { Opened } from '../engines/engines.ts';
import { rowsOf, run } from '../engines/things.ts';
import { places, tables } from '../place.ts';
import { github, later } from '../samples.ts';

/** The tables of a suite. */
export type Names = 'reference' | 'renamed' | 'with columns of the application' | 'with numbers for dates';

/** The ids of a suite. */
export type Ids = keyof typeof idRules;

/** Runs `adapterSuite` on an engine for each pair of ids and tables. Skips an engine that is not available. */
export function suiteOn(engine: string, ...combinations: readonly [Ids, Names][]): void {
  const kind = places.find(({ name }) => name === engine);
  describe.skipIf(!kind).each(combinations)(`SqlAdapter on ${engine}, ids: %s, tables: %s`, (ids, names) => {
    if (!kind) return;
    let opened: Opened;
    let adapter: SqlAdapter;
    const { rule, looks } = idRules[ids];
    const schema: SqlSchema = { ...schemas[names], ids: rule };

    beforeAll(async () => {
      opened = await kind.open();
      if (names === 'with columns of the application') await addColumns(opened.engine, schema);
      adapter = SqlAdapter(opened.db, { schema });
    });
    afterAll(() => opened?.close());

    adapterSuite(() => ({ adapter }), mayRefuse(kind.dialect), { optional: true, authenticators: true, unique: true });

    it('has ids of the given kind in each row', async () => {
      const email = `${crypto.randomUUID()}@example.com`;
      const { id: userId } = await adapter.createUser({ id: crypto.randomUUID(), email, emailVerified: null });
      expect(userId).toMatch(looks);
      await adapter.linkAccount({ ...github, userId, providerAccountId: email });
      await adapter.createSession({ sessionToken: email, userId, expires: later });
      const renamed = names === 'renamed' ? renamedTables : tables;
      for (const table of renamed) {
        const rows = await rowsOf(
          opened.engine,
          sql`select ${sql.ref(names === 'renamed' ? 'Key' : 'id')} as id from ${sql.table(table)}`,
        );
        expect(rows.length, table).toBeGreaterThan(0);
        expect(
          rows.filter(({ id }) => !looks.test(String(id))),
          table,
        ).toEqual([]);
      }
      if (names === 'with columns of the application') await checkColumns(opened.engine);
    });
  });
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

const idRules = {
  text: { rule: { type: 'text' }, looks: UUID },
  'text of our own': {
    rule: { type: 'text', make: () => `id ${crypto.randomUUID()} é` },
    looks: /^id [\da-f-]{36} é$/,
  },
  uuid: { rule: { type: 'uuid' }, looks: UUID },
  'uuid of our own': { rule: { type: 'uuid', make: uuidOfTime }, looks: /^0\d[\da-f]{6}-[\da-f]{4}-7/ },
  'uuid of the database': { rule: { type: 'uuid', madeBy: 'database' }, looks: UUID },
  integer: { rule: { type: 'integer' }, looks: /^[1-9]\d*$/ },
  bigint: { rule: { type: 'bigint', madeBy: 'database' }, looks: /^[1-9]\d*$/ },
} as const satisfies Record<string, { rule: SqlIds; looks: RegExp }>;

/** Names that need quotes: words of SQL, upper case, a dollar sign. */
const renamed = {
  tables: {
    users: {
      name: 'Order',
      columns: { id: 'Key', email: 'select', emailVerified: 'when', name: 'Name', image: 'from' },
    },
    accounts: {
      name: 'group',
      columns: {
        id: 'Key',
        userId: 'table',
        provider: 'where',
        providerAccountId: 'and',
        access_token: 'accessToken',
        expires_at: 'desc',
        type: 'Type',
      },
    },
    sessions: { name: 'Select', columns: { id: 'Key', sessionToken: 'key$', userId: 'user', expires: 'limit' } },
    verificationTokens: { name: 'values', columns: { id: 'Key', identifier: 'To', token: 'of', expires: 'Expires' } },
    authenticators: { name: 'index', columns: { id: 'Key', userId: 'user_id', counter: 'count', transports: 'as' } },
    userAccounts: { name: '_links', columns: { id: 'Key', accountId: 'in', userId: 'on' } },
    userSessions: { name: 'Links', columns: { id: 'Key', sessionId: 'to', userId: 'by' } },
  },
} as const satisfies SqlSchema;

const renamedTables = Object.values(renamed.tables).map(({ name }) => name);

const schemas: Readonly<Record<Names, SqlSchema>> = {
  reference: {},
  renamed,
  'with columns of the application': {},
  'with numbers for dates': { dates: 'milliseconds' },
};

/** Columns that an application adds to each table. */
const added = { tenant: `varchar(40) not null default 'main'`, rank: 'integer not null default 7' };

async function addColumns(engine: Engine, schema: SqlSchema): Promise<void> {
  for (const statement of schemaSql(engine.dialect.name, schema).split(';\n').filter(Boolean))
    await run(engine, sql.raw(statement));
  for (const table of tables)
    for (const [column, type] of Object.entries(added))
      await run(engine, sql`alter table ${sql.table(table)} add column ${sql.ref(column)} ${sql.raw(type)}`);
}

async function checkColumns(engine: Engine): Promise<void> {
  for (const table of tables) {
    const rows = await rowsOf(engine, sql`select distinct tenant, ${sql.ref('rank')} from ${sql.table(table)}`);
    expect(
      rows.map(({ tenant, rank }) => [tenant, Number(rank)]),
      table,
    ).toEqual([['main', 7]]);
  }
}

/** Returns a UUID of version 7, which begins with the time. */
function uuidOfTime(): string {
  const time = Date.now().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${crypto.randomUUID().slice(15)}`;
}

/** Cases of the suite that a dialect refuses with an error, because it cannot store the key. */
const REFUSED: Readonly<Record<DialectName, ReadonlySet<string>>> = {
  sqlite: new Set(),
  postgres: new Set(),
  // The collation ignores spaces at the end of a text.
  mysql: new Set(['keeps spaces in an account', 'keeps spaces in a verification token']),
};

/** Returns a runner that expects the error of a refused case. */
export function mayRefuse(dialect: DialectName): SuiteRunner {
  return {
    describe,
    it: (title, body) =>
      REFUSED[dialect].has(title)
        ? it(title.replace('keeps', 'refuses'), () =>
            expect(body()).rejects.toThrow(/^(accounts\.provider|verificationTokens\.token) must be text that/),
          )
        : it(title, body),
  };
}
