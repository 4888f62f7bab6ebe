import { suiteOn } from './combinations.ts';

// The engine `mysql2` runs each kind of table, and Kysely a pair of its own.
suiteOn(
  'mysql2',
  ['text', 'reference'],
  ['integer', 'renamed'],
  ['uuid of our own', 'with columns of the application'],
);
suiteOn('Kysely on mysql2', ['bigint', 'with numbers for dates']);
