import { suiteOn } from './combinations.ts';

suiteOn(
  'pg',
  ['text', 'reference'],
  ['integer', 'renamed'],
  ['bigint', 'with columns of the application'],
  ['uuid', 'with numbers for dates'],
  ['uuid of the database', 'with columns of the application'],
  ['text of our own', 'renamed'],
);
suiteOn('PGlite', ['text', 'reference'], ['integer', 'with columns of the application']);
suiteOn('Kysely on pg', ['text', 'reference'], ['bigint', 'with numbers for dates']);
