import { sql } from 'kysely';
import mysql from 'mysql2/promise';
import pg from 'pg';
import { engineOf } from '../../src/database.ts';
import { makeThings, rowsOf, run } from './things.ts';

/*
 * A program of its own, because a process has its time zone from its environment. Writes an instant, and says what it
 * reads:
 *
 *   TZ=Asia/Kolkata node elsewhere.ts <address> <type of the column> <instant>
 */
const [address = '', type = '', instant = ''] = process.argv.slice(2);
const db = address.startsWith('mysql')
  ? mysql.createPool({ uri: address, dateStrings: false })
  : new pg.Pool({ connectionString: address });
const engine = engineOf(db);
const { dialect } = engine;
await makeThings(engine, type);
await run(engine, sql`insert into things (id, name, at) values (1, 'a', ${dialect.dateIn(new Date(instant))})`);
const [row] = await rowsOf(engine, sql`select ${dialect.dateOf(sql.ref('at'))} as at from things`);
await db.end();
console.log(`${new Date(instant).getTimezoneOffset()} ${dialect.dateOut(row?.['at'])?.toISOString()}`);
