/** One of several processes that migrate the same databases: `node migrate-program.ts <name> <address…>`. */
import { once } from 'node:events';
import { DatabaseSync } from 'node:sqlite';
import mysql from 'mysql2/promise';
import pg from 'pg';
import { type Database, migrate, SqlAdapter } from '../src/index.ts';

const [name = '', ...addresses] = process.argv.slice(2);

/** Connects to a database by its address; the returned function ends the connections. */
function connect(address: string): [db: Database, close: () => unknown] {
  if (address.startsWith('postgres:')) {
    const pool = new pg.Pool({ connectionString: address, max: 2 });
    return [pool, () => pool.end()];
  }
  if (address.startsWith('mysql:')) {
    const pool = mysql.createPool({ uri: address, connectionLimit: 2 });
    return [pool, () => pool.end()];
  }
  const db = new DatabaseSync(address);
  return [db, () => db.close()];
}

console.log('ready');
for (const address of addresses) {
  const [db, close] = connect(address);
  await once(process.stdin, 'data');
  const report = await migrate(db);
  await SqlAdapter(db).createUser({ id: name, name, email: name, emailVerified: null, image: null });
  await close();
  console.log(JSON.stringify(report));
}
process.stdin.destroy();
