import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { SqlAdapter } from '@latchkey/adapter-sql';
import { sessionsOf } from '@latchkey/core/sessions';
import { median } from '../race/statistics.ts';
import { secret } from '../visitor.ts';
import type { Figure } from './figure.ts';

const USERS = 100;
const SESSIONS = 100;
const LISTS = 300;

/** Measures the list of the sessions of a user, of which a SQLite file has a hundred for each of a hundred users. */
export async function sessionListFigures(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-bench-'));
  const db = new DatabaseSync(join(folder, 'auth.db'));
  db.exec('pragma synchronous = off');
  try {
    const adapter = SqlAdapter(db);
    await fill(adapter);
    const { list } = sessionsOf({ providers: [], adapter, secret, session: { records: true } });
    const times: number[] = [];
    for (let count = 0; count < LISTS; count++) {
      const start = process.cpuUsage();
      const { length } = await list(userOf(count % USERS));
      const { user, system } = process.cpuUsage(start);
      times.push((user + system) / 1000);
      if (length !== SESSIONS) throw new Error(`the list has ${length} sessions`);
    }
    return [{ title: 'list of 100 sessions, SQLite', value: median(times), unit: 'ms', most: 2 }];
  } finally {
    db.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function userOf(number: number): string {
  return `user-${number}`;
}

async function fill({ sessionRecords }: SqlAdapter): Promise<void> {
  const [startedAt, expires] = [new Date(), new Date(Date.now() + 30 * 24 * 60 * 60 * 1000)];
  for (let index = 0; index < USERS * SESSIONS; index++) {
    const [id, userId] = [`session-${index}`.padEnd(22, '-'), userOf(index % USERS)];
    const label = 'Chrome on Windows';
    const facts = { id, startedAt, authTime: startedAt, amr: ['pwd'], provider: 'credentials' };
    await sessionRecords.create({ ...facts, userId, label, seenAt: new Date(startedAt.getTime() - index), expires });
  }
}
