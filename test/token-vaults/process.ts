import { DatabaseSync } from 'node:sqlite';
import type { TokenVault } from '@latchkey/core/types';
import mysql from 'mysql2/promise';
import pg from 'pg';
import { createClient } from 'redis';
import { RedisTokenVault } from '../../packages/adapter-redis/src/index.ts';
import { SqlTokenVault } from '../../packages/adapter-sql/src/index.ts';

/**
 * A process with a token vault. Its arguments are the kind of store, its address, a prefix of keys, and the minutes by
 * which its clock is fast. Each message is a step with its arguments, and the answer is the result. `dies` kills the
 * process after the step, before the answer.
 */

const [kind, url = '', prefix = '', fast = '0'] = process.argv.slice(2);

const isFast = Number(fast) * 60_000;
const actual = Date.now;
globalThis.Date = new Proxy(Date, {
  construct: (target, args: []) => (args.length > 0 ? new target(...args) : new target(actual() + isFast)),
  get: (target, name) => (name === 'now' ? () => actual() + isFast : Reflect.get(target, name)),
});

async function open(): Promise<TokenVault> {
  switch (kind) {
    case 'SQLite':
      return SqlTokenVault(new DatabaseSync(url));
    case 'PostgreSQL':
      return SqlTokenVault(new pg.Pool({ connectionString: url, max: 4 }));
    case 'MariaDB':
      return SqlTokenVault(mysql.createPool({ uri: url, connectionLimit: 4 }));
    default: {
      const client = await createClient({ url }).connect();
      return RedisTokenVault(client, { prefix, tag: kind === 'Redis, by user' ? 'user' : 'all' });
    }
  }
}

/** A step that the test asks for. */
interface Asked {
  readonly id: number;
  readonly step: keyof TokenVault;
  readonly args: unknown[];
  readonly dies: boolean;
}

const vault = await open();

process.on('message', async ({ id, step, args, dies }: Asked) => {
  try {
    const work: unknown = vault[step];
    const result: unknown = typeof work === 'function' ? await Reflect.apply(work, vault, args) : undefined;
    if (dies) process.kill(process.pid, 'SIGKILL');
    process.send?.({ id, result });
  } catch (error) {
    process.send?.({ id, error: String(error) });
  }
});
process.on('disconnect', () => process.exit(0));
process.send?.({ id: 0 });
