import { DatabaseSync } from 'node:sqlite';
import type { Adapter } from '@latchkey/core/adapters';
import mysql from 'mysql2/promise';
import pg from 'pg';
import { createClient } from 'redis';
import { RedisAdapter } from '../../packages/adapter-redis/src/index.ts';
import { SqlAdapter } from '../../packages/adapter-sql/src/index.ts';
import { startSite } from './site.ts';

/** A process of the site. Its arguments are the kind of store, its address, and the prefix of keys. */

const [kind, url = '', prefix = ''] = process.argv.slice(2);

/** An adapter, and how to close its connections. */
interface Connected {
  readonly adapter: Adapter;
  close(): unknown;
}

async function connect(): Promise<Connected> {
  switch (kind) {
    case 'SQLite': {
      const db = new DatabaseSync(url);
      return { adapter: SqlAdapter(db), close: () => db.close() };
    }
    case 'PostgreSQL': {
      const pool = new pg.Pool({ connectionString: url, max: 4 });
      return { adapter: SqlAdapter(pool), close: () => pool.end() };
    }
    case 'MariaDB': {
      const pool = mysql.createPool({ uri: url, connectionLimit: 4 });
      return { adapter: SqlAdapter(pool), close: () => pool.end() };
    }
    default: {
      const client = createClient({ url });
      client.on('error', () => undefined);
      await client.connect();
      return { adapter: RedisAdapter(client, { prefix }), close: () => client.destroy() };
    }
  }
}

const { adapter, close } = await connect();
const site = await startSite(adapter);
process.on('disconnect', () => {
  site.close();
  close();
});
process.send?.(site.port);
