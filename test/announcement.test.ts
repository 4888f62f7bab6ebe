import { spawnSync } from 'node:child_process';
import { closeSync, cpSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { announcement } from '../scripts/announcement.mjs';
import { programs } from '../scripts/programs.mjs';
import { lockedFolders, root } from '../scripts/setup.mjs';

it('names size, place and reason of all that will be installed', () => {
  const folders = ['', 'test/peers/prisma', 'test/compat/express-4'].map((name) => join(root, name));
  const lines = announcement(folders, [programs.chromium, programs.redis]);
  expect(lines.map((line) => line.trim().replace(/ {2,}/g, ' | '))).toEqual([
    'latchkey: installing what the tests need:',
    '1100 MB | node_modules | the dependencies of the project',
    '390 MB | test/peers/prisma/node_modules | a library that Latchkey is tested with',
    '< 60 MB | test/compat/express-4/node_modules | an earlier major of a framework',
    '800 MB | apt-get install chromium chromium-headless-shell | Chromium opens pages and whole applications',
    '10 MB | apt-get install redis-server | Redis is a store under test',
  ]);
});

it('is empty if nothing will be installed', () => {
  expect(announcement([], [])).toEqual([]);
});

/** A project with these scripts and nothing else, and an npm that writes what it is called with, and fails. */
function emptyProject(): { folder: string; npm: string } {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-announced-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(join(root, 'scripts'), join(folder, 'scripts'), { recursive: true });
  for (const locked of lockedFolders().map((path) => path.slice(root.length))) {
    mkdirSync(join(folder, locked), { recursive: true });
    for (const file of ['package.json', 'package-lock.json']) writeFileSync(join(folder, locked, file), '{}');
  }
  const npm = join(folder, 'npm-cli.js');
  writeFileSync(npm, "require('node:fs').writeSync(2, 'npm ' + process.argv[2] + '\\n'); process.exit(1);");
  return { folder, npm };
}

it('is printed by `npm test` before anything is installed', () => {
  const { folder, npm } = emptyProject();
  const path = join(folder, 'output');
  const output = openSync(path, 'w');
  const env = { ...process.env, npm_execpath: npm };
  const { status } = spawnSync(process.execPath, ['scripts/test.mjs'], {
    cwd: folder,
    env,
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  const lines = readFileSync(path, 'utf8').split('\n');
  const at = (text: string): number => lines.findIndex((line) => line.includes(text));
  expect(status).toBe(1);
  expect(at('installing what the tests need')).toBe(0);
  for (const locked of lockedFolders('without applications')) {
    const place = `${join(locked.slice(root.length + 1), 'node_modules')}  `;
    expect([place, at(`  ${place}`) > 0, at(`  ${place}`) < at('npm ci')]).toEqual([place, true, true]);
  }
});
