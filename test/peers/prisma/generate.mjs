import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inTurn } from '../../../scripts/build-when-needed.ts';

const here = import.meta.dirname;

/**
 * Imports the client for a kind of database. If it does not exist for these models, it is generated first, in a folder
 * of its own, which takes seconds. Nothing is downloaded.
 *
 * @template Client
 * @param {'sqlite' | 'postgresql' | 'mysql'} provider
 * @param {string} [models] Instead of those of `schema.prisma`.
 * @returns {Promise<{ PrismaClient: new (options: { adapter: object }) => Client }>}
 */
export async function generateClient(provider, models) {
  const schema = `${head(provider)}\n${models ?? (await readFile(join(here, 'schema.prisma'), 'utf8'))}`;
  const lockfile = await readFile(join(here, 'package-lock.json'), 'utf8');
  const print = createHash('sha256').update(schema).update(lockfile).digest('hex').slice(0, 16);
  // Below `node_modules`, the client finds its runtime, git ignores the folder, and a new installation deletes it.
  const folder = join(here, 'node_modules', `.client-${print}`);
  if (!existsSync(folder))
    await inTurn(() => generate(schema, folder), join(here, 'node_modules', '.client-turn.sqlite'));
  return createRequire(import.meta.url)(join(folder, 'client'));
}

/**
 * @param {string} schema
 * @param {string} folder
 */
async function generate(schema, folder) {
  if (existsSync(folder)) return;
  // The folder gets its final name when it is complete.
  const begun = `${folder}-begun`;
  await rm(begun, { recursive: true, force: true });
  await mkdir(begun);
  const file = join(begun, 'schema.prisma');
  await writeFile(file, schema);
  const cli = join(here, 'node_modules', 'prisma', 'build', 'index.js');
  const env = {
    ...process.env,
    // The program that changes tables. Generating never runs it, and downloads it unless there is one.
    PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
    PRISMA_HIDE_UPDATE_MESSAGE: '1',
    CHECKPOINT_DISABLE: '1',
  };
  await promisify(execFile)(process.execPath, [cli, 'generate', '--schema', file], { cwd: begun, env });
  await rename(begun, folder);
}

/** @param {string} provider */
const head = (provider) => `generator client {
  provider = "prisma-client-js"
  output   = "./client"
}

datasource db {
  provider = "${provider}"
}
`;
