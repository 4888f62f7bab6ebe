import type { AdapterAccount, StoredAccount } from '@latchkey/core/adapters';
import { sql } from 'kysely';
import { afterEach, describe, expect, it } from 'vitest';
import { migrate, SqlAdapter, type SqlSchema } from '../src/index.ts';
import { bareOf } from './bare.ts';
import { catalogOf } from './catalog.ts';
import { rowsOf } from './engines/things.ts';
import { dialectPlaces } from './place.ts';
import { documented } from './presets/documented.ts';
import { engineFor, type OpenedDatabase, openDocumented } from './presets/opened.ts';
import { ada, github, later, passkey } from './samples.ts';

const now = new Date('2026-05-05T05:05:05.005Z');
const details = { createdAt: later, label: 'ada@work.example' };
const account = detailed(github);

function detailed(row: AdapterAccount): StoredAccount {
  const copy: AdapterAccount = { ...row };
  return Object.assign(copy, details);
}

/** A database of each preset, the table of accounts, and the types for a date and a text. */
const presets = [
  [documented.pg, 'accounts', 'timestamptz', 'text'],
  [documented.kyselyMysql, 'Account', 'datetime(3)', 'varchar(254)'],
  [documented.drizzleSqlite, 'account', 'integer', 'text'],
] as const;

describe.each(presets.filter(([database]) => engineFor(database).isAvailable))(
  'columns that $title lacks',
  (database, table, date, text) => {
    let opened: OpenedDatabase;
    afterEach(() => opened.close());

    async function linked(...alterations: string[]): Promise<Record<string, unknown>> {
      opened = await openDocumented(database);
      for (const alteration of alterations) await opened.run(`alter table "${table}" ${alteration}`);
      const adapter = opened.adapter();
      const { id: userId } = await adapter.createUser(ada);
      await adapter.linkAccount(detailed({ ...github, userId }));
      await adapter.linkAccount({ ...github, userId, providerAccountId: '2' });
      const [one, other] = await Promise.all(['1', '2'].map((id) => adapter.getAccount(id, 'github')));
      return { one: { ...one, userId: 'ada' }, other: { ...other, userId: 'ada' } };
    }
    const other = { ...github, providerAccountId: '2' };

    it('are neither written nor created', async () => {
      expect(await linked()).toEqual({ one: github, other });
      const { columns } = await catalogOf(opened.engine);
      await migrate(opened.db, { schema: database.preset });
      const added = Object.keys((await catalogOf(opened.engine)).columns).filter((column) => !(column in columns));
      expect(added.filter((column) => /createdAt|label|usedAt/.test(column))).toEqual([]);
    });

    it('are used once they exist, and get their default if an account has no value', async () => {
      const columns = [`add column "createdAt" ${date}`, `add column label ${text} default 'none' not null`];
      expect(await linked(...columns)).toEqual({ one: account, other: { ...other, label: 'none' } });
    });

    it('are left alone if they have another type', async () => {
      const columns = [`add column "createdAt" boolean`, 'add column label integer'];
      // SQLite stores any value in any column.
      const expected = database.dialect === 'sqlite' ? { ...github, createdAt: later } : github;
      expect(await linked(...columns)).toEqual({ one: expected, other });
    });
  },
);

describe.skipIf(!engineFor(documented.prismaMysql).isAvailable)('a stamp with the name `createdAt`', () => {
  it('is written by its own rule, and read as the member of an account', async () => {
    const opened = await openDocumented(documented.prismaMysql);
    const adapter = opened.adapter({ now: () => now });
    const { id: userId } = await adapter.createUser(ada);
    await adapter.linkAccount(detailed({ ...github, userId }));
    expect(await adapter.listAccountsByUserId(userId)).toEqual([{ ...github, userId, createdAt: now }]);
    await opened.close();
  });
});

describe.each(dialectPlaces)('added columns of your own schema on $name', (kind) => {
  const place = bareOf(kind);

  it('can be left out or renamed, and may be the stamp of the application', async () => {
    const columns = { name: null, usedAt: null, createdAt: 'made' };
    const tables = { accounts: { columns: { label: null, createdAt: 'made' } }, authenticators: { columns } };
    const schema: SqlSchema = { tables, stamps: { created: 'made' } };
    const adapter = SqlAdapter(place.db, { schema, now: () => now });
    await adapter.createUser(ada);
    await adapter.linkAccount(account);
    await adapter.createAuthenticator({ ...passkey, ...details, name: 'key', usedAt: later });
    expect(await adapter.updateAuthenticator('credential', { name: 'other', usedAt: later, counter: 5 })).toEqual({
      ...passkey,
      counter: 5,
      createdAt: now,
    });
    expect(await adapter.getAccount('1', 'github')).toEqual({ ...github, createdAt: now });
    expect(await rowsOf(place.engine, sql`select made from auth_accounts`)).toHaveLength(1);
  });
});
