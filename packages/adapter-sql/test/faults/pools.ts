import mysql from 'mysql2/promise';
import pg from 'pg';
import type { Database } from '../../src/index.ts';

/** The kinds of servers that faults are tried on. */
export type KindName = 'PostgreSQL' | 'MariaDB';

/** What an application may set for its pool, under names of our own. */
export interface PoolSettings {
  /** Most connections. Default: 4. */
  readonly size?: number;
  /** Gives up soon: connections that are not made, requests that find no free one, and where it can, statements. */
  readonly hasty?: boolean;
}

/** A pool of an application, which listens to none of its events. */
export interface Pool {
  readonly db: Database;
  /** Takes a connection away from the others until the returned function is called. */
  take(): Promise<() => void>;
  close(): Promise<void>;
}

/** Makes a pool as an application does. */
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
