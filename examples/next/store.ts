import { DatabaseSync } from 'node:sqlite';
import { SqlAdapter } from '@latchkey/adapter-sql';

type Store = ReturnType<typeof SqlAdapter>;

let opened: Store | undefined;

/** Returns the store of users, accounts and passkeys, a SQLite file. The first call opens it. */
export function store(): Store {
  opened ??= SqlAdapter(new DatabaseSync(process.env['DATABASE_FILE'] ?? 'demo.sqlite', { timeout: 5000 }));
  return opened;
}
