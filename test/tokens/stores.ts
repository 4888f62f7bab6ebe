import type { DatabaseSync } from 'node:sqlite';
import type { Adapter } from '@latchkey/core/adapters';
import type { TokenVault } from '@latchkey/core/types';
import { RedisAdapter, RedisTokenVault } from '../../packages/adapter-redis/src/index.ts';
import { SqlAdapter, SqlTokenVault } from '../../packages/adapter-sql/src/index.ts';

/** A store that processes share: users and accounts, and the vault. */
export interface OpenedStore {
  readonly adapter: Adapter;
  readonly vault: TokenVault;
  close(): Promise<void>;
}

/** Opens a store by its kind and its address. */
export async function openStore(
  kind: string,
  url: string,
  node: { readonly DatabaseSync: typeof DatabaseSync },
): Promise<OpenedStore> {
  if (kind === 'SQLite') {
    const database = new node.DatabaseSync(url);
    return { adapter: SqlAdapter(database), vault: SqlTokenVault(database), close: async () => database.close() };
  }
  if (kind === 'PostgreSQL') {
    const { default: pg } = await import('pg');
    const pool = new pg.Pool({ connectionString: url });
    return { adapter: SqlAdapter(pool), vault: SqlTokenVault(pool), close: () => pool.end() };
  }
  if (kind === 'MariaDB') {
    const { default: mysql } = await import('mysql2');
    const pool = mysql.createPool(url).promise();
    return { adapter: SqlAdapter(pool), vault: SqlTokenVault(pool), close: () => pool.end() };
  }
  if (kind === 'Redis') {
    const [address, prefix = ''] = url.split('#');
    const { createClient } = await import('redis');
    const client = createClient({ ...(address && { url: address }) });
    client.on('error', (error) => console.error(error));
    await client.connect();
    const options = { prefix };
    return {
      adapter: RedisAdapter(client, options),
      vault: RedisTokenVault(client, options),
      close: async () => void (await client.close()),
    };
  }
  throw new Error(`the store "${kind}" is unknown`);
}
