import { suiteOn } from './combinations.ts';

// The engine `pg` runs each kind of table, and the other engines a pair of their own.
suiteOn(
  'pg',
  ['text', 'reference'],
  ['text of our own', 'renamed'],
  ['uuid of the database', 'with columns of the application'],
);
suiteOn('PGlite', ['integer', 'with columns of the application']);
suiteOn('Kysely on pg', ['bigint', 'with numbers for dates']);
