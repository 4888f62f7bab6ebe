import { DatabaseSync } from 'node:sqlite';
import { answers } from './answers.ts';

/** Another process that uses a SQLite file: begins a transaction that writes when told to, and ends it when told to. */

const db = new DatabaseSync(process.argv[2] ?? '');

answers(
  async (statement) => {
    db.exec(statement);
    return 'done';
  },
  async () => db.close(),
);
