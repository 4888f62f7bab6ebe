import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';

const here = import.meta.dirname;

/**
 * Generates the client for a kind of database, in a folder of its own, and imports it. Nothing is downloaded.
 *
 * @template Client
 * @param {'sqlite' | 'postgresql' | 'mysql'} provider
 * @param {string} [models] Instead of those of `schema.prisma`.
 * @returns {Promise<{ PrismaClient: new (options: { adapter: object }) => Client, remove: () => Promise<void> }>}
 */
export async function generateClient(provider, models) {
  // Below `node_modules`, where the client finds its runtime and git ignores it.
  const folder = await mkdtemp(join(here, 'node_modules', '.client-'));
  const schema = join(folder, 'schema.prisma');
  await writeFile(schema, `${head(provider)}\n${models ?? (await readFile(join(here, 'schema.prisma'), 'utf8'))}`);
  const cli = join(here, 'node_modules', 'prisma', 'build', 'index.js');
  const env = {
    ...process.env,
    // The program that changes tables. Generating never runs it, and downloads it unless there is one.
    PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
    PRISMA_HIDE_UPDATE_MESSAGE: '1',
    CHECKPOINT_DISABLE: '1',
  };
  await promisify(execFile)(process.execPath, [cli, 'generate', '--schema', schema], { cwd: folder, env });
  const { PrismaClient } = createRequire(import.meta.url)(join(folder, 'client'));
  return { PrismaClient, remove: () => rm(folder, { recursive: true }) };
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
