import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const packages = fileURLToPath(new URL('../../../', import.meta.url));
const sources = ['core/dist', 'sveltekit/dist', 'sveltekit/components'].map((path) => join(packages, path));

/**
 * Builds an application for production with the Kit that its folder finds. What is up to date stays; who comes while somebody else
 * builds waits.
 *
 * @returns The folder with the server.
 */
export async function buildKit(app: string): Promise<string> {
  const state = join(app, '.svelte-kit', 'built-from');
  const lock = join(app, '.svelte-kit', 'building');
  const from = newest([join(app, 'src'), join(app, 'vite.config.ts'), ...sources]);
  while (!isBuilt(state, from)) {
    if (taken(lock)) await sleep(50);
    else {
      try {
        await build(app);
        writeFileSync(state, from);
      } finally {
        rmSync(lock, { recursive: true, force: true });
      }
    }
  }
  return join(app, '.svelte-kit', 'output', 'server');
}

async function build(app: string): Promise<void> {
  const vite = join(createRequire(join(app, 'package.json')).resolve('vite/package.json'), '../bin/vite.js');
  await promisify(execFile)(process.execPath, [vite, 'build'], {
    cwd: app,
    env: { ...process.env, NODE_ENV: 'production' },
  });
}

function isBuilt(state: string, from: string): boolean {
  return existsSync(state) && readFileSync(state, 'utf8') === from;
}

/** Is somebody building? A lock that its owner has not removed for a minute belongs to nobody. */
function taken(lock: string): boolean {
  try {
    mkdirSync(join(lock, '..'), { recursive: true });
    mkdirSync(lock);
    return false;
  } catch {
    const age = Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > 60_000) rmSync(lock, { recursive: true, force: true });
    return true;
  }
}

function newest(paths: readonly string[]): string {
  const times = paths.flatMap((path) => filesIn(path).map((file) => statSync(file).mtimeMs));
  return `${times.length} files, newest ${Math.max(...times)}`;
}

function filesIn(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .map((name) => join(path, name))
    .filter((file) => statSync(file).isFile());
}
