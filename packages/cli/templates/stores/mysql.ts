import { SqlAdapter } from '@latchkey/adapter-sql';
import { createPool } from 'mysql2/promise';

/** A function, so that a build does not open the database. It is called once. */
export const adapter = () => SqlAdapter(createPool(process.env['DATABASE_URL'] ?? ''));
