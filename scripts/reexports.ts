import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './setup.mjs';

/** Packages that re-export the providers of core: those with the entry point `./providers/*`. */
const bindings = readdirSync(join(root, 'packages')).filter(
  (name) => name !== 'core' && manifestOf(name).exports?.['./providers/*'] !== undefined,
);

const core = join(root, 'packages/core/src/providers');

// Part of the build: writes `dist/providers/<name>.js` and `.d.ts` of each binding, which re-export those of core.
const names = readdirSync(core)
  .filter((file) => /^export default |^export \{ default\b/m.test(readFileSync(join(core, file), 'utf8')))
  .map((file) => file.replace(/\.ts$/, ''));

for (const binding of bindings) {
  const folder = join(root, 'packages', binding, 'dist/providers');
  const files = new Map([
    ['index.js', 'export {};\n'],
    ['index.d.ts', "export type * from '@latchkey/core/providers';\n"],
    ...names.flatMap((name) => [`${name}.js`, `${name}.d.ts`].map((file) => [file, reexport(name)] as const)),
  ]);
  mkdirSync(folder, { recursive: true });
  for (const stale of readdirSync(folder).filter((file) => !files.has(file))) rmSync(join(folder, stale));
  for (const [file, text] of files) writeFileSync(join(folder, file), text);
}

function reexport(name: string): string {
  const specifier = `'@latchkey/core/providers/${name}'`;
  return `export * from ${specifier};\nexport { default } from ${specifier};\n`;
}

function manifestOf(name: string): { exports?: Record<string, unknown> } {
  return JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'));
}
