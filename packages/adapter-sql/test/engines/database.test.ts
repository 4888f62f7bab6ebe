import { createRequire } from 'node:module';
import { DatabaseSync } from 'node:sqlite';
import { createClient } from '@libsql/client';
import mysqlWithCallbacks from 'mysql2';
import mysql from 'mysql2/promise';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { type Database, engineOf } from '../../src/database.ts';
import { openPglite } from './pglites.ts';

describe('engineOf', () => {
  const nowhere = 'postgres://unknown@127.0.0.1:1/nothing';

  it('recognizes databases by their methods without connecting', async () => {
    const Better = createRequire(import.meta.url)('better-sqlite3');
    const databases: [Database, string][] = [
      [new DatabaseSync(':memory:'), 'sqlite'],
      [new Better(':memory:'), 'sqlite'],
      [createClient({ url: ':memory:' }), 'sqlite'],
      [createClient({ url: 'http://127.0.0.1:1' }), 'sqlite'],
      [new pg.Pool({ connectionString: nowhere }), 'postgres'],
      [mysql.createPool({ port: 1 }), 'mysql'],
      [mysqlWithCallbacks.createPool({ port: 1 }), 'mysql'],
    ];
    for (const [db, dialect] of databases) {
      expect(engineOf(db).dialect.name).toBe(dialect);
      expect(engineOf(db, { dialect: engineOf(db).dialect.name }).dialect.name).toBe(dialect);
    }
    const pglite = await openPglite();
    expect(engineOf(pglite.db).dialect.name).toBe('postgres');
    await pglite.close();
  });

  /** Values that are not a database, and the remedy in the error. */
  const mistakes: [string, () => unknown, RegExp][] = [
    ['nothing', () => undefined, /a `Pool` of pg/],
    ['null', () => null, /a `DatabaseSync` of node:sqlite/],
    ['an empty object', () => ({}), /a `PGlite`/],
    ['a number', () => 5, /a pool of mysql2/],
    ['a URL as text', () => 'postgres://ada:secret@localhost/db', /A URL is not a database/],
    ['a URL', () => new URL('file:auth.db'), /A URL is not a database/],
    ['a promise', () => Promise.resolve(), /Await the promise first/],
    ['a client of Prisma', () => ({ $transaction() {}, $queryRaw() {}, $connect() {} }), /A Prisma client cannot/],
    [
      'a database of Drizzle',
      () => ({ select() {}, insert() {}, transaction() {}, execute() {}, $client: {} }),
      /Pass the `\$client`/,
    ],
    ['a client of pg', () => new pg.Client(nowhere), /a single connection/],
    ['a connection of mysql2', () => mysqlConnection(), /a single connection/],
    [
      'a pool of mariadb',
      () => ({ execute() {}, query() {}, getConnection() {}, importFile() {} }),
      /a pool of mysql2/,
    ],
    ['a database of sqlite3', () => ({ prepare() {}, parallelize() {} }), /the adapter does not support this database/],
    ['a connection of mysql2/promise', () => mysqlConnection().promise(), /a single connection/],
    [
      'a database of D1',
      () => ({ prepare() {}, batch() {}, exec() {}, dump() {} }),
      /the adapter does not support this database/,
    ],
  ];

  it.each(mistakes)('refuses %s with the remedy', (_, make, remedy) => {
    const error = thrownBy(() => engineOf(make() as Database));
    expect(error).toBeInstanceOf(TypeError);
    expect(error.message).toMatch(remedy);
    expect(error.message).toMatch(/Pass a `DatabaseSync` of node:sqlite, .*, or a `Kysely`$/);
    expect(error.message).not.toContain('secret');
  });

  it('refuses an unknown dialect and one that differs from the database', () => {
    const db = new DatabaseSync(':memory:');
    expect(() => engineOf(db, { dialect: 'oracle' as 'mysql' })).toThrow(
      'the dialect must be one of sqlite, postgres, mysql: "oracle"',
    );
    expect(() => engineOf(db, { dialect: 'mysql' })).toThrow('is mysql, but the database is sqlite');
  });
});

/** A connection to a port on which no server listens. */
function mysqlConnection(): mysqlWithCallbacks.Connection {
  const connection = mysqlWithCallbacks.createConnection({ port: 1 });
  connection.on('error', () => undefined);
  return connection;
}

function thrownBy(work: () => unknown): Error {
  try {
    work();
  } catch (error) {
    return error as Error;
  }
  throw new Error('nothing was thrown');
}
