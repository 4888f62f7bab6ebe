import { SqlAdapter } from '@latchkey/adapter-sql';
import pg from 'pg';

/** A function, so that a build does not open the database. It is called once. */
export const adapter = () => SqlAdapter(new pg.Pool({ connectionString: process.env['DATABASE_URL'] ?? '' }));
