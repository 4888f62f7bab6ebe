import { suiteOn } from './combinations.ts';

suiteOn(
  'node:sqlite',
  ['text', 'reference'],
  ['integer', 'renamed'],
  ['bigint', 'with columns of the application'],
  ['uuid', 'with numbers for dates'],
  ['text of our own', 'renamed'],
);
suiteOn('better-sqlite3', ['text', 'reference'], ['bigint', 'renamed']);
suiteOn('libSQL', ['text', 'reference'], ['integer', 'with columns of the application']);
suiteOn('Kysely on node:sqlite', ['text', 'reference'], ['bigint', 'with numbers for dates']);
