import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { npm } from './npm.mjs';
import { exitWith } from './problem.mjs';
import { root } from './root.mjs';

// Packs each package as it would be published; publint and attw look at the result. `npm run check` builds before.
await exitWith(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-packed-'));
  try {
    const good = readdirSync(join(root, 'packages')).map((name) => isGood(join(root, 'packages', name), folder));
    return good.includes(false) ? 1 : 0;
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/**
 * @param {string} source
 * @param {string} folder
 */
function isGood(source, folder) {
  const [{ filename }] = JSON.parse(npm(['pack', '--json', '--silent', '--pack-destination', folder], source));
  const tarball = join(folder, filename);
  const hidden = behindWildcards(source);
  const attw = [tarball, '--profile', 'esm-only', '--format', 'ascii', '--no-emoji', '--no-color'];
  return [
    succeeds('publint/src/cli.js', ['run', tarball, '--strict']),
    succeeds(
      '@arethetypeswrong/cli/dist/index.js',
      hidden.length ? [...attw, '--include-entrypoints', ...hidden] : attw,
    ),
  ].every(Boolean);
}

/**
 * The entry points that a package exports by `./folder/*`: attw does not find them.
 *
 * @param {string} source
 */
function behindWildcards(source) {
  const { exports } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'));
  const folders = Object.keys(exports).flatMap((key) => (key.endsWith('/*') ? [key.slice(2, -2)] : []));
  return folders.flatMap((folder) => {
    const files = readdirSync(join(source, 'dist', folder)).filter(
      (file) => file.endsWith('.js') && file !== 'index.js',
    );
    return files.map((file) => `${folder}/${file.slice(0, -3)}`);
  });
}

/**
 * @param {string} program
 * @param {string[]} args
 */
function succeeds(program, args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'node_modules', program), ...args], {
    encoding: 'utf8',
  });
  if (status !== 0) console.error(stdout + stderr);
  return status === 0;
}
