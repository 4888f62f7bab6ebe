import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { AdapterAccount, AdapterUser } from '@latchkey/core/adapters';

/** Rows of a query, as plain objects. */
export function rows(db: DatabaseSync, sql: string, ...parameters: string[]): Record<string, unknown>[] {
  return db
    .prepare(sql)
    .all(...parameters)
    .map((row) => ({ ...row }));
}

/** Number of rows in each table of the schema that has any. */
export function counts(db: DatabaseSync): Record<string, number> {
  const tables = rows(db, `select name from sqlite_schema where type = 'table' order by name`).map(({ name }) => name);
  const counted = tables.map((name) => [
    String(name),
    Number(rows(db, `select count(*) as n from "${name}"`)[0]?.['n']),
  ]);
  return Object.fromEntries(counted.filter(([, n]) => n !== 0));
}

/** A path for a database file, in a folder that goes when `work` is done. */
export async function withFile(work: (path: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-sql-'));
  try {
    await work(join(folder, 'auth.db'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export const ada: AdapterUser = {
  id: 'ada',
  name: 'Ada',
  email: 'ada@example.com',
  emailVerified: new Date('2026-03-01T12:00:00.123Z'),
  image: null,
};

export const github: AdapterAccount = {
  provider: 'github',
  providerAccountId: '1',
  type: 'oauth',
  userId: 'ada',
  access_token: 'access',
  expires_at: 1_900_000_000,
};

export const later: Date = new Date('2099-01-01T00:00:00.001Z');
