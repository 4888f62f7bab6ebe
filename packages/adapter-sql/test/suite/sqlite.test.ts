import { suiteOn } from './combinations.ts';

// The engine `node:sqlite` runs each kind of table, and the other engines a pair of their own.
suiteOn('node:sqlite', ['text', 'reference'], ['integer', 'renamed'], ['uuid', 'with numbers for dates']);
suiteOn('better-sqlite3', ['bigint', 'with columns of the application']);
suiteOn('libSQL', ['text of our own', 'renamed']);
suiteOn('Kysely on node:sqlite', ['bigint', 'with numbers for dates']);
