import mysql from 'mysql2/promise';
import pg from 'pg';
import type { Database } from '../../src/index.ts';

/** The kinds of servers that these tests use. */
export type KindName = 'PostgreSQL' | 'MariaDB';

/** Settings of a pool, with the same names for both drivers. */
export interface PoolSettings {
  /** Largest number of connections. Default: 4. */
  readonly size?: number;
  /** Short time limits for connecting, for waiting, and if possible for statements. */
  readonly hasty?: boolean;
}

/** A pool of an application without event listeners. */
export interface Pool {
  readonly db: Database;
  /** Takes a connection until the returned function is called. */
  take(): Promise<() => void>;
  close(): Promise<void>;
}

/** Creates a pool as an application does. */
export function poolOf(kind: KindName, url: string, { size = 4, hasty = false }: PoolSettings = {}): Pool {
  return { PostgreSQL: onPg, MariaDB: onMysql2 }[kind](url, size, hasty);
}

function onPg(connectionString: string, max: number, hasty: boolean): Pool {
  const limits = hasty ? { connectionTimeoutMillis: 500, query_timeout: 500 } : { connectionTimeoutMillis: 5000 };
  const db = new pg.Pool({ connectionString, max, ...limits });
  return {
    db,
    take: async () => {
      const client = await db.connect();
      return () => client.release();
    },
    close: () => db.end(),
  };
}

function onMysql2(uri: string, connectionLimit: number, hasty: boolean): Pool {
  const limits = hasty ? { connectTimeout: 500, waitForConnections: false } : { connectTimeout: 5000 };
  const db = mysql.createPool({ uri, connectionLimit, ...limits });
  return {
    db,
    take: async () => {
      const connection = await db.getConnection();
      return () => connection.release();
    },
    close: () => db.end(),
  };
}
