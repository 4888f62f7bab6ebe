import { type Connection, createConnection, type RowDataPacket } from 'mysql2/promise';
import { findProgram } from '../../scripts/programs.mjs';
import { isRoot } from './account.ts';
import type { Engine, Fresh, Recipe, StartOptions } from './engine.ts';
import { currentRun, freshName } from './names.ts';

export const mariadbEngine: Engine<Fresh, StartOptions> = {
  kind: 'mariadb',
  title: 'MariaDB',
  variable: 'TEST_MYSQL_URL',
  url: (port) => `mysql://root@127.0.0.1:${port}/`,
  standardPort: 3306,
  // Only the programs: `mariadb-server` would add a service.
  debian: 'mariadb-server-core',
  endSignal: 'SIGKILL',
  recipe,
  ping: (url) => asAdmin(url, async () => undefined),
  async fresh(url) {
    const name = freshName();
    await asAdmin(url, (admin) => admin.query(`create database ${name} character set utf8mb4`));
    const address = new URL(url);
    address.pathname = `/${name}`;
    const end = currentRun() ? cutOff : drop;
    return { url: address.href, drop: () => asAdmin(url, (admin) => end(admin, name)) };
  },
  sweep: (url, isOver) =>
    asAdmin(url, async (admin) => {
      const [rows] = await admin.query<RowDataPacket[]>('show databases');
      for (const { Database: name } of rows) if (isOver(name)) await drop(admin, name);
    }),
};

function recipe(): Recipe<StartOptions> | undefined {
  const folders = ['/usr/sbin', '/usr/local/sbin'];
  const install = findProgram('mariadb-install-db', folders);
  const mariadbd = findProgram('mariadbd', folders);
  if (!install || !mariadbd) return undefined;
  // MariaDB runs as root only if `--user=root` is given.
  const user = isRoot() ? ['--user=root'] : [];
  return {
    prepare: (data) => ({
      program: install,
      args: [
        '--no-defaults',
        ...user,
        `--datadir=${data}`,
        '--auth-root-authentication-method=normal',
        '--skip-test-db',
        `--innodb-log-file-size=${logSize}`,
      ],
    }),
    serve: (data, port, { settings }) => ({
      program: mariadbd,
      args: [
        '--no-defaults',
        ...user,
        `--datadir=${data}`,
        `--port=${port}`,
        ...assignments({ ...defaults, ...settings }),
      ],
    }),
  };
}

/** The default is 96 MB, which each server writes when it is created. */
const logSize = '8M';

/** Commits survive a crash of the server, but not of the machine: they are not flushed to the disk. */
const defaults = {
  bind_address: '127.0.0.1',
  // Relative to the data folder, because an absolute path may be too long for a socket address.
  socket: 'server.sock',
  pid_file: 'server.pid',
  innodb_flush_log_at_trx_commit: '2',
  innodb_buffer_pool_size: '32M',
  innodb_log_file_size: logSize,
};

function assignments(settings: Record<string, string>): string[] {
  return Object.entries(settings).map(([name, value]) => `--${name}=${value}`);
}

async function drop(admin: Connection, name: string): Promise<void> {
  // A transaction that a test left open would block the `drop` for a day.
  await cutOff(admin, name);
  await admin.query(`drop database if exists ${name}`);
}

/** Ends the connections to a database. */
async function cutOff(admin: Connection, name: string): Promise<void> {
  const [rows] = await admin.query<RowDataPacket[]>('show processlist');
  for (const { Id, db } of rows) if (db === name) await admin.query('kill ?', [Id]).catch(ignoreEnded);
}

/** The connection may have ended between the two statements. */
function ignoreEnded(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ER_NO_SUCH_THREAD') throw error;
}

async function asAdmin(url: string, use: (admin: Connection) => Promise<unknown>): Promise<void> {
  const admin = await createConnection({ uri: url, connectTimeout: 5000 });
  try {
    await use(admin);
  } finally {
    // Rejects on a broken connection, which the query has reported.
    await admin.end().catch(() => undefined);
  }
}
