import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { accountNamed, isRoot } from './account.ts';
import type { Engine, Fresh, Recipe, StartOptions } from './engine.ts';
import { freshName } from './names.ts';
import { findProgram } from './programs.ts';

export const postgresEngine: Engine<Fresh, StartOptions> = {
  kind: 'postgres',
  title: 'PostgreSQL',
  variable: 'TEST_PG_URL',
  url: (port) => `postgres://postgres@127.0.0.1:${port}/postgres`,
  standardPort: 5432,
  debian: 'postgresql',
  // "Immediate shutdown": no checkpoint, but the shared memory is given back, which SIGKILL would leave.
  endSignal: 'SIGQUIT',
  tidy: removeSharedMemory,
  recipe,
  ping: (url) => asAdmin(url, async () => undefined),
  async fresh(url) {
    const name = freshName();
    await asAdmin(url, (admin) =>
      admin.query(`create database ${name} template template0 encoding 'UTF8' locale 'C.UTF-8'`),
    );
    const address = new URL(url);
    address.pathname = `/${name}`;
    return { url: address.href, drop: () => asAdmin(url, (admin) => drop(admin, name)) };
  },
  sweep: (url, isOver) =>
    asAdmin(url, async (admin) => {
      const { rows } = await admin.query<{ datname: string }>('select datname from pg_database');
      for (const { datname } of rows) if (isOver(datname)) await drop(admin, datname);
    }),
};

function recipe(): Recipe<StartOptions> | undefined {
  const initdb = findProgram('initdb', binFolders());
  const postgres = findProgram('postgres', binFolders());
  // PostgreSQL refuses to run as root.
  const account = isRoot() ? accountNamed('postgres') : undefined;
  if (!initdb || !postgres || (isRoot() && !account)) return undefined;
  return {
    account,
    prepare: (data) => ({
      program: initdb,
      args: ['-D', data, '-A', 'trust', '-U', 'postgres', '--no-sync', '-E', 'UTF8', '--locale=C.UTF-8'],
      account,
    }),
    serve: (data, port, { settings }) => ({
      program: postgres,
      args: ['-D', data, '-p', String(port), ...assignments({ ...defaults, ...settings })],
      account,
    }),
  };
}

/** A crash of the machine may cost the data, one of the server may not: commits are written, but not to the disk itself. */
const defaults = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  fsync: 'off',
  full_page_writes: 'off',
  shared_buffers: '32MB',
};

function assignments(settings: Record<string, string>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/** Where Debian keeps the programs, the newest version first. */
function binFolders(): string[] {
  const parent = '/usr/lib/postgresql';
  try {
    const versions = readdirSync(parent).sort((a, b) => Number(b) - Number(a));
    return versions.map((version) => `${parent}/${version}/bin`);
  } catch {
    return []; // no Debian, or not installed
  }
}

/**
 * A killed server leaves its segment of shared memory to the next one with the same data. Its number is the second on the
 * seventh line of `postmaster.pid`, a file that a server removes when it ends by itself.
 */
async function removeSharedMemory(data: string): Promise<void> {
  const lines = await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '');
  const segment = lines.split('\n')[6]?.trim().split(/\s+/)[1];
  if (!segment) return;
  const ipcrm = spawn('ipcrm', ['-m', segment], { stdio: 'ignore' });
  // Where there is no ipcrm, 56 bytes stay until the machine starts again.
  await once(ipcrm, 'close').catch(() => undefined);
}

/**
 * Connections that are closing get a second for it: one that is ended by force tells its pool, and a pool that was closed a
 * moment ago has nobody left who listens.
 */
async function drop(admin: pg.Client, name: string): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const { rows } = await admin.query('select 1 from pg_stat_activity where datname = $1 limit 1', [name]);
    if (rows.length === 0) break;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await admin.query(`drop database if exists ${name} with (force)`);
}

async function asAdmin(url: string, use: (admin: pg.Client) => Promise<unknown>): Promise<void> {
  // A server that tests run read-only must still give out databases.
  const options = '-c default_transaction_read_only=off';
  const admin = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000, options });
  // A connection that breaks while idle would end the process; queries report it by themselves.
  admin.on('error', () => undefined);
  try {
    await admin.connect();
    await use(admin);
  } finally {
    await admin.end();
  }
}
