import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { inTurn } from '../../../../scripts/build-when-needed.ts';

/** Closed databases are used again, because starting one takes long. */
const idle: PGlite[] = [];

const modules = join(import.meta.dirname, '../../../../node_modules');
const cache = join(modules, '.cache/latchkey');
const manifest = readFileSync(join(modules, '@electric-sql/pglite/package.json'), 'utf8');
const { version } = JSON.parse(manifest) as { version: string };
const copy = join(cache, `pglite-${version}.tar`);

/** Returns an empty PGlite in memory, which belongs to the caller until it is closed. */
export async function openPglite(): Promise<{ db: PGlite; close(): Promise<void> }> {
  const db = idle.pop() ?? (await PGlite.create({ loadDataDir: await emptyDatabase() }));
  return {
    db,
    async close() {
      // Remove the tables and settings of the previous test.
      await db.exec('rollback');
      await db.exec('discard all');
      await db.exec('drop schema public cascade; create schema public');
      idle.push(db);
    },
  };
}

/** Returns the files of an empty database. The first process creates them, which takes seconds, and keeps a copy. */
export async function emptyDatabase(): Promise<Blob> {
  if (!existsSync(copy)) await inTurn(leaveCopy, join(cache, 'pglite.sqlite'));
  return new Blob([await readFile(copy)]);
}

async function leaveCopy(): Promise<void> {
  // Another process has created them in the meantime.
  if (existsSync(copy)) return;
  const db = await PGlite.create();
  const files = await db.dumpDataDir('none');
  await db.close();
  mkdirSync(cache, { recursive: true });
  writeFileSync(`${copy}.new`, new Uint8Array(await files.arrayBuffer()));
  // In one step, so that other processes do not read a part of it.
  renameSync(`${copy}.new`, copy);
}
