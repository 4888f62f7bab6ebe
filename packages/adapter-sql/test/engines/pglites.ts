import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { inTurn } from '../../../../scripts/turn.ts';

/** Starting one takes long, so that those that a test has done with are used again. */
const idle: PGlite[] = [];

const modules = join(import.meta.dirname, '../../../../node_modules');
const cache = join(modules, '.cache/latchkey');
const manifest = readFileSync(join(modules, '@electric-sql/pglite/package.json'), 'utf8');
const { version } = JSON.parse(manifest) as { version: string };
const copy = join(cache, `pglite-${version}.tar`);

/** An empty PGlite in memory, nobody else's until it is closed. */
export async function openPglite(): Promise<{ db: PGlite; close(): Promise<void> }> {
  const db = idle.pop() ?? (await PGlite.create({ loadDataDir: await emptyDatabase() }));
  return {
    db,
    async close() {
      // What a test left behind, its settings included, goes.
      await db.exec('rollback');
      await db.exec('discard all');
      await db.exec('drop schema public cascade; create schema public');
      idle.push(db);
    },
  };
}

/** The files of an empty database. Making them takes seconds, so that only the first who needs them does, and leaves a copy. */
export async function emptyDatabase(): Promise<Blob> {
  if (!existsSync(copy)) await inTurn(leaveCopy, join(cache, 'pglite.sqlite'));
  return new Blob([await readFile(copy)]);
}

async function leaveCopy(): Promise<void> {
  // Somebody else has, while we waited.
  if (existsSync(copy)) return;
  const db = await PGlite.create();
  const files = await db.dumpDataDir('none');
  await db.close();
  mkdirSync(cache, { recursive: true });
  writeFileSync(`${copy}.new`, new Uint8Array(await files.arrayBuffer()));
  // In one step: others must not see half of it.
  renameSync(`${copy}.new`, copy);
}
