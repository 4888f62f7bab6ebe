import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import type { RowDataPacket } from 'mysql2/promise';
import { describe, expect, it } from 'vitest';
import { available, mariadb, postgres } from '../../../../test/services/index.ts';
import type { Engine } from '../../src/dialect.ts';
import { onMysql, onPg } from './engines.ts';
import { makeThings, rowsOf, run } from './things.ts';

/** In the hour that Berlin's clocks skip. */
const instant = '2026-03-29T02:30:00.123Z';

describe.skipIf(!(await available('postgres')))('PostgreSQL', () => {
  it.each(['timestamp(3)', 'timestamptz(3)'])(
    'keeps UTC in a column of the type %s, whatever the zone',
    async (type) => {
      const opened = onPg(await (await postgres()).fresh(), { options: '-c TimeZone=America/St_Johns' });
      try {
        expect(await writtenAndRead(opened.engine, type)).toBe(instant);
        // Drizzle and Prisma read and write a `timestamp` like this.
        const utc = type.startsWith('timestamptz') ? `at at time zone 'UTC'` : 'at';
        const { rows } = await opened.db.query(`select (${utc})::text as at from things`);
        expect(rows).toEqual([{ at: '2026-03-29 02:30:00.123' }]);
      } finally {
        await opened.close();
      }
    },
  );

  it.each(['timestamp(3)', 'timestamptz(3)'])('keeps %s in a process that lives elsewhere', async (type) => {
    const fresh = await (await postgres()).fresh();
    try {
      expect(await elsewhere(fresh.url, type)).toBe(`-330 ${instant}`);
    } finally {
      await fresh.drop();
    }
  });
});

describe.skipIf(!(await available('mariadb')))('MariaDB', () => {
  it.each(['datetime(3)', 'timestamp(3) null'])(
    'keeps the wall clock of UTC in %s, whatever the zone',
    async (type) => {
      const opened = onMysql(await (await mariadb()).fresh(), { timezone: '+09:00' });
      try {
        opened.db.on('connection', (connection) => {
          void connection.query(`set time_zone = '+05:30'`);
        });
        expect(await writtenAndRead(opened.engine, type)).toBe(instant);
        // Drizzle reads and writes both types like this.
        const [rows] = await opened.db.query<RowDataPacket[]>('select cast(at as char) as at from things');
        expect(rows).toEqual([{ at: '2026-03-29 02:30:00.123' }]);
      } finally {
        await opened.close();
      }
    },
  );

  it.each(['datetime(3)', 'timestamp(3) null'])('keeps %s in a process that lives elsewhere', async (type) => {
    const fresh = await (await mariadb()).fresh();
    try {
      expect(await elsewhere(fresh.url, type)).toBe(`-330 ${instant}`);
    } finally {
      await fresh.drop();
    }
  });
});

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
