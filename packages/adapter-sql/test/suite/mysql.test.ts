import { suiteOn } from './combinations.ts';

suiteOn(
  'mysql2',
  ['text', 'reference'],
  ['integer', 'renamed'],
  ['bigint', 'with columns of the application'],
  ['uuid of our own', 'with numbers for dates'],
  ['text of our own', 'with columns of the application'],
);
suiteOn('Kysely on mysql2', ['text', 'reference'], ['integer', 'with numbers for dates']);
