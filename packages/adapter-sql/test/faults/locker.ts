import { DatabaseSync } from 'node:sqlite';
import { answers } from './answers.ts';

/** Another process that begins and ends a write transaction on a SQLite file. */

const db = new DatabaseSync(process.argv[2] ?? '');

answers(
  async (statement) => {
    db.exec(statement);
    return 'done';
  },
  async () => db.close(),
);
