import { DatabaseSync } from 'node:sqlite';
import { SqlAdapter } from '@latchkey/adapter-sql';

/** A function, so that a build does not open the database. It is called once. */
export const adapter = () => SqlAdapter(new DatabaseSync(process.env['DATABASE_PATH'] ?? 'auth.db'));
