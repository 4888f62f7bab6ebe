import { DatabaseSync } from 'node:sqlite';
import { SqlAdapter } from '@latchkey/adapter-sql';

type Store = ReturnType<typeof SqlAdapter>;

let opened: Store | undefined;

/** Users, accounts and passkeys: in a SQLite file, opened when it is first asked for. */
export function store(): Store {
  opened ??= SqlAdapter(new DatabaseSync(process.env['DATABASE_FILE'] ?? 'demo.sqlite', { timeout: 5000 }));
  return opened;
}
