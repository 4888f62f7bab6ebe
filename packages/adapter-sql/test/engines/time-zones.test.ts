import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { available, mariadb, postgres } from '../../../../test/services/index.ts';
import type { Engine } from '../../src/dialect.ts';
import { onMysql, onPg } from './engines.ts';
import { makeThings, rowsOf, run } from './things.ts';

/** In the hour that summer time skips in Berlin. */
const instant = '2026-03-29T02:30:00.123Z';

/** A type of column, its server, and the expression that returns what Drizzle and Prisma read. */
const columns = [
  ['timestamp(3)', 'PostgreSQL', openPostgres, 'at::text'],
  ['timestamptz(3)', 'PostgreSQL', openPostgres, `(at at time zone 'UTC')::text`],
  ['datetime(3)', 'MariaDB', openMariadb, 'cast(at as char)'],
  ['timestamp(3) null', 'MariaDB', openMariadb, 'cast(at as char)'],
] as const;
const servers = { PostgreSQL: await available('postgres'), MariaDB: await available('mariadb') };

describe.each(columns.filter(([, server]) => servers[server]))('a date in a column %s of %s', (type, _, open, utc) => {
  it('is stored as UTC in any time zone of the session', async () => {
    const { engine } = await open();
    expect(await writtenAndRead(engine, type)).toBe(instant);
    expect(await rowsOf(engine, sql`select ${sql.raw(utc)} as at from things`)).toEqual([
      { at: '2026-03-29 02:30:00.123' },
    ]);
  });

  it('is stored as UTC in any time zone of the process', async () => {
    const { url } = await open();
    expect(await elsewhere(url, type)).toBe(`-330 ${instant}`);
  });
});

async function openPostgres(): Promise<{ engine: Engine; url: string }> {
  const fresh = await (await postgres()).fresh();
  const { engine, close } = onPg(fresh, { options: '-c TimeZone=America/St_Johns' });
  onTestFinished(close);
  return { engine, url: fresh.url };
}

async function openMariadb(): Promise<{ engine: Engine; url: string }> {
  const fresh = await (await mariadb()).fresh();
  const { engine, db, close } = onMysql(fresh, { timezone: '+09:00' });
  db.on('connection', (connection) => void connection.query(`set time_zone = '+05:30'`));
  onTestFinished(close);
  return { engine, url: fresh.url };
}

async function writtenAndRead(engine: Engine, type: string): Promise<string | undefined> {
  const { dialect } = engine;
  await makeThings(engine, type);
  await run(engine, sql`insert into things (id, name, at) values (1, 'a', ${dialect.dateIn(new Date(instant))})`);
  const [row] = await rowsOf(engine, sql`select ${dialect.dateOf(sql.ref('at'))} as at from things`);
  return dialect.dateOut(row?.['at'])?.toISOString();
}

async function elsewhere(...parameters: readonly string[]): Promise<string> {
  const program = fileURLToPath(new URL('elsewhere.ts', import.meta.url));
  const env = { ...process.env, TZ: 'Asia/Kolkata' };
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...parameters, instant], { env });
  return stdout.trim();
}
