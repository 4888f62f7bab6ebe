import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { migrate, SqlAdapter, schemaSql } from '../src/index.ts';
import { ada, rows, withFile } from './database.ts';

const reference = {
  auth_users: ['email', 'emailVerified', 'image', 'name'],
  auth_accounts: [
    'access_token',
    'expires_at',
    'id_token',
    'provider',
    'providerAccountId',
    'refresh_token',
    'scope',
    'session_state',
    'token_type',
    'type',
    'user',
  ],
  auth_sessions: ['expires', 'sessionToken', 'user'],
  auth_verificationTokens: ['expires', 'identifier', 'token'],
  auth_users_accounts: ['account', 'user'],
  auth_users_sessions: ['session', 'user'],
};

function schemaOf(db: DatabaseSync): Record<string, unknown>[] {
  return rows(db, 'select type, name, tbl_name, sql from sqlite_schema order by type, name');
}

describe('migrate', () => {
  it('creates the six tables of the reference schema, all columns nullable beside the id', async () => {
    const db = new DatabaseSync(':memory:');
    await migrate(db);
    const tables = rows(db, `select name from sqlite_schema where type = 'table'`).map(({ name }) => String(name));
    expect(tables.sort()).toEqual(Object.keys(reference).sort());
    for (const [table, columns] of Object.entries(reference)) {
      const found = rows(db, 'select name, "notnull", pk from pragma_table_info(?)', table);
      expect(found.map(({ name }) => name)).toEqual(['id', ...columns]);
      expect(found.filter(({ notnull, pk }) => notnull || pk)).toEqual([{ name: 'id', notnull: 1, pk: 1 }]);
    }
  });

  it('makes the same as schemaSql', async () => {
    const [migrated, written] = [new DatabaseSync(':memory:'), new DatabaseSync(':memory:')];
    await migrate(migrated);
    written.exec(schemaSql('sqlite'));
    expect(schemaOf(written)).toEqual(schemaOf(migrated));
    written.exec(schemaSql('sqlite'));
    expect(schemaOf(written)).toEqual(schemaOf(migrated));
  });

  it('changes nothing the second time', async () => {
    const db = new DatabaseSync(':memory:');
    await migrate(db);
    const before = [schemaOf(db), rows(db, 'pragma schema_version')];
    await migrate(db);
    expect([schemaOf(db), rows(db, 'pragma schema_version')]).toEqual(before);
  });

  it('adds what is missing and leaves what the application added', async () => {
    const db = new DatabaseSync(':memory:');
    db.exec(`create table auth_users (id text primary key, email text, role text not null default 'reader')`);
    db.exec(`insert into auth_users (id, email) values ('old', 'old@example.com')`);
    db.exec('create table todo (id integer primary key, text text)');
    const adapter = SqlAdapter(db);
    expect(await adapter.getUser('old')).toEqual({
      id: 'old',
      email: 'old@example.com',
      name: null,
      image: null,
      emailVerified: null,
    });
    await adapter.createUser(ada);
    await adapter.updateUser({ id: 'old', name: 'Old' });
    expect(rows(db, 'select id, role, name from auth_users order by id')).toEqual([
      { id: 'ada', role: 'reader', name: 'Ada' },
      { id: 'old', role: 'reader', name: 'Old' },
    ]);
  });

  it('stands several that start at once', async () => {
    await withFile(async (path) => {
      const databases = Array.from({ length: 8 }, () => new DatabaseSync(path));
      await Promise.all(databases.map((db) => migrate(db)));
      await Promise.all(
        databases.map((db, index) => SqlAdapter(db).createUser({ ...ada, id: `${index}`, email: `${index}` })),
      );
      for (const db of databases) {
        expect(rows(db, 'select id from auth_users')).toHaveLength(8);
        db.close();
      }
    });
  });

  it('waits for another connection to finish writing', async () => {
    await withFile(async (path) => {
      const [db, other] = [new DatabaseSync(path), new DatabaseSync(path)];
      const adapter = SqlAdapter(db);
      await adapter.createUser(ada);
      other.exec('begin immediate');
      setTimeout(() => other.exec('commit'), 30);
      await adapter.createUser({ ...ada, id: 'bob', email: 'bob@example.com' });
      expect(other.isTransaction).toBe(false);
      for (const one of [db, other]) one.close();
    });
  });

  it('only reads a database that lacks nothing', async () => {
    await withFile(async (path) => {
      const db = new DatabaseSync(path);
      await SqlAdapter(db).createUser(ada);
      db.close();
      const replica = new DatabaseSync(path, { readOnly: true });
      const adapter = SqlAdapter(replica);
      expect(await adapter.getUser('ada')).toEqual(ada);
      await expect(adapter.createUser({ ...ada, id: 'bob', email: 'bob' })).rejects.toThrow('readonly');
      replica.close();
    });
  });

  it('is left to the application when the option says so', async () => {
    const db = new DatabaseSync(':memory:');
    const adapter = SqlAdapter(db, { migrate: false });
    await expect(adapter.getUser('ada')).rejects.toThrow('no such table: auth_users');
    expect(schemaOf(db)).toEqual([]);
    db.exec(schemaSql('sqlite'));
    expect(await adapter.getUser('ada')).toBeNull();
  });

  it('is tried again at the next call when it failed', async () => {
    const db = new DatabaseSync(':memory:', { open: false });
    const adapter = SqlAdapter(db);
    await expect(adapter.getUser('ada')).rejects.toThrow('not open');
    db.open();
    expect(await adapter.getUser('ada')).toBeNull();
  });

  it('names the remedy when it is given something else', () => {
    expect(() => SqlAdapter({} as DatabaseSync)).toThrow(/DatabaseSync/);
    expect(() => schemaSql('db2' as 'sqlite')).toThrow(/There are: sqlite/);
  });
});
