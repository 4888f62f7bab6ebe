import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { findingsIn } from './prose/findings.ts';
import { root } from './setup.mjs';

const prose = /\.(md|ts|tsx|mjs|svelte)$/;
/** Written by a script, licensed by others, data, or in another language than English. */
const excluded = [
  /(^|\/)LICENSE/,
  /(^|\/)fixtures\//,
  /\.api\.md$/,
  /^docs\/providers\.md$/,
  /^packages\/core\/src\/icons\//,
  /^packages\/core\/src\/messages\/(?!en\.ts$)/,
  /^packages\/core\/src\/views\/passkey-script\.ts$/,
  /\.d\.ts$/,
];

const findings = await findingsIn(filesBelow(process.argv.slice(2)));
for (const { path, line, rule, message } of findings) console.log(`${path}:${line} ${rule}: ${message}`);
console.log(`${findings.length} findings`);
if (findings.length > 0) {
  console.error('prose.yml has the wording rules, and cspell.json the words of the field.');
  process.exitCode = 1;
}

/** Returns the hand-written texts that git knows or would add, below these paths. */
function filesBelow(paths: readonly string[]): string[] {
  const list = ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate', '--'];
  const below = paths.map((path) => relative(root, resolve(path)));
  const files = execFileSync('git', [...list, ...below], { cwd: root, encoding: 'utf8' }).split('\n');
  const isProse = (path: string): boolean => prose.test(path) && !excluded.some((pattern) => pattern.test(path));
  return files.filter((path) => isProse(path) && existsSync(join(root, path)));
}
