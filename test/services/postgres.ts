import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { findProgram, postgresFolders } from '../../scripts/programs.mjs';
import { accountNamed, isRoot } from './account.ts';
import type { Engine, Fresh, Recipe, StartOptions } from './engine.ts';
import { freshName } from './names.ts';

export const postgresEngine: Engine<Fresh, StartOptions> = {
  kind: 'postgres',
  title: 'PostgreSQL',
  variable: 'TEST_PG_URL',
  url: (port) => `postgres://postgres@127.0.0.1:${port}/postgres`,
  standardPort: 5432,
  debian: 'postgresql',
  // "Immediate shutdown": without a checkpoint, but it releases the shared memory, which SIGKILL does not.
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
  const initdb = findProgram('initdb', postgresFolders());
  const postgres = findProgram('postgres', postgresFolders());
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

/** Commits survive a crash of the server, but not of the machine: they are not flushed to the disk. */
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

/**
 * Removes the shared memory segment that a killed server leaves behind. Its id is the second number on the seventh line
 * of `postmaster.pid`. A server that ends by itself removes that file.
 */
async function removeSharedMemory(data: string): Promise<void> {
  const lines = await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '');
  const segment = lines.split('\n')[6]?.trim().split(/\s+/)[1];
  if (!segment) return;
  const ipcrm = spawn('ipcrm', ['-m', segment], { stdio: 'ignore' });
  // Without `ipcrm`, 56 bytes stay until the machine restarts.
  await once(ipcrm, 'close').catch(() => undefined);
}

/**
 * Waits up to a second for connections that are closing. If the server ends one of them, its pool emits an `error`. A
 * pool that was just closed may have no listener for it.
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
  // Databases can also be created on a server that a test has made read-only.
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
