import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import mysql from 'mysql2/promise';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { available, mariadb, postgres } from '../../../test/services/index.ts';
import { engineOf } from '../src/database.ts';
import { type Database, type MigrationReport, migrate, SqlAdapter } from '../src/index.ts';
import { catalogOf, dropAll } from './catalog.ts';
import { newFolder } from './engines/engines.ts';
import { run } from './engines/things.ts';
import { countsOf } from './place.ts';
import { ada } from './samples.ts';

/** A store that several connections or processes open by its address. */
interface Store {
  readonly name: string;
  readonly isAvailable: boolean;
  /** Creates an empty store. */
  address(): Promise<string>;
  connect(address: string): { db: Database; close(): unknown };
}

const stores: readonly Store[] = [
  {
    name: 'a SQLite file',
    isAvailable: true,
    address: async () => file(),
    connect(path) {
      const db = new DatabaseSync(path);
      return { db, close: () => db.close() };
    },
  },
  {
    name: 'PostgreSQL',
    isAvailable: await available('postgres'),
    address: async () => kept(await (await postgres()).fresh()),
    connect(connectionString) {
      const db = new pg.Pool({ connectionString, max: 2 });
      return { db, close: () => db.end() };
    },
  },
  {
    name: 'MariaDB',
    isAvailable: await available('mariadb'),
    address: async () => kept(await (await mariadb()).fresh()),
    connect(uri) {
      const db = mysql.createPool({ uri, connectionLimit: 2 });
      return { db, close: () => db.end() };
    },
  },
];
const eight = Array.from({ length: 8 }, (_, n) => n);

describe.each(stores.filter(({ isAvailable }) => isAvailable))(
  'eight adapters that start at once on $name',
  (store) => {
    it('create one schema, and each of them works', async () => {
      const address = await store.address();
      const connections = eight.map(() => store.connect(address));
      await Promise.all(connections.map(({ db }) => migrate(db)));
      const adapters = connections.map(({ db }) => SqlAdapter(db));
      await Promise.all(adapters.map((adapter, n) => adapter.createUser({ ...ada, id: `${n}`, email: `${n}` })));
      await expectComplete(store, address, 8);
      for (const { close } of connections) await close();
    });

    it('migrate an older schema', async () => {
      const address = await store.address();
      const { db, close } = store.connect(address);
      const engine = engineOf(db);
      await migrate(db);
      await run(engine, sql`drop table auth_authenticators`);
      await run(engine, sql`alter table auth_accounts drop column scope`);
      await run(
        engine,
        sql.raw(`drop index auth_users_email${engine.dialect.name === 'mysql' ? ' on auth_users' : ''}`),
      );
      await close();
      const connections = eight.map(() => store.connect(address));
      await Promise.all(
        connections.map(({ db }, n) => SqlAdapter(db).createUser({ ...ada, id: `${n}`, email: `${n}` })),
      );
      await expectComplete(store, address, 8);
      for (const { close } of connections) await close();
    });

    it('create one schema on a shared connection or pool', async () => {
      const address = await store.address();
      const { db, close } = store.connect(address);
      const adapters = eight.map(() => SqlAdapter(db));
      await Promise.all(adapters.map((adapter, n) => adapter.createUser({ ...ada, id: `${n}`, email: `${n}` })));
      await close();
      await expectComplete(store, address, 8);
    });
  },
);

describe('eight processes that start at once', () => {
  it('create one schema in each store, and each of them works', async () => {
    const used = stores.filter(({ isAvailable }) => isAvailable);
    const addresses = await Promise.all(used.map((store) => store.address()));
    const path = (file: string) => fileURLToPath(new URL(file, import.meta.url));
    const program = ['--import', path('./faults/sources.mjs'), path('./migrate-program.ts')];
    const processes = eight.map((n) =>
      spawn(process.execPath, [...program, `${n}`, ...addresses], { stdio: ['pipe', 'pipe', 'inherit'] }),
    );
    onTestFinished(() => {
      for (const one of processes) one.kill('SIGKILL');
    });
    await Promise.all(processes.map((one) => line(one)));
    for (const address of addresses) {
      const reports = processes.map(async (one) => JSON.parse(await line(one)) as MigrationReport);
      for (const { stdin } of processes) stdin.write('go\n');
      for (const { added, duplicates } of await Promise.all(reports)) {
        expect(duplicates, address).toEqual([]);
        expect(new Set(added).size, address).toBe(added.length);
      }
    }
    for (const [index, store] of used.entries()) await expectComplete(store, addresses[index] ?? '', 8);
  });
});

/** Expects the same schema that a single process creates. */
async function expectComplete(store: Store, address: string, users: number): Promise<void> {
  const { db, close } = store.connect(address);
  const engine = engineOf(db);
  const found = await catalogOf(engine);
  expect(await migrate(db)).toEqual({ added: [], duplicates: [] });
  expect(await countsOf(engine)).toEqual({ auth_users: users });
  await close();
  const alone = store.connect(address);
  await dropAll(engineOf(alone.db));
  await migrate(alone.db);
  expect(found).toEqual(await catalogOf(engineOf(alone.db)));
  await alone.close();
}

/** Returns the next line of a process. */
async function line(process: ChildProcess): Promise<string> {
  const ended = once(process, 'exit').then(([code]) => {
    throw new Error(`a process ended with ${code}`);
  });
  const said = once(process.stdout as NonNullable<ChildProcess['stdout']>, 'data');
  return String((await Promise.race([said, ended]))[0]);
}

function file(): string {
  const folder = newFolder();
  onTestFinished(folder.remove);
  return folder.path('auth.db');
}

function kept(fresh: { url: string; drop(): Promise<void> }): string {
  onTestFinished(fresh.drop);
  return fresh.url;
}
