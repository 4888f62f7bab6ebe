import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { exitWith, Problem } from './problem.mjs';
import { root } from './root.mjs';
import { run } from './run.mjs';
import { setup } from './setup.mjs';

/** Each a program of its own: what one adds to our interfaces must not be seen by another. */
const projects = [
  'tsconfig.json',
  'tsconfig.exact.json',
  'augmented/tsconfig.core.json',
  'augmented/tsconfig.express.json',
  'augmented/tsconfig.sveltekit.json',
];

// The types of the built packages: without `any`, and used as applications use them, beside those of the original packages.
await exitWith(async () => {
  const { node } = await setup({ others: true });
  const lenient = readdirSync(join(root, 'packages')).flatMap(declarationsOf).flatMap(linesWithAny);
  if (lenient.length > 0)
    throw new Problem(`\`any\` is published; use \`unknown\` or \`Foreign\`:\n${lenient.join('\n')}`);
  for (const compiler of ['typescript-7', 'typescript']) {
    for (const project of projects) {
      const code = await run(node, [`node_modules/${compiler}/bin/tsc`, '-p', join('test/types', project)], {
        cwd: root,
      });
      if (code !== 0) throw new Problem(`test/types/${project} does not hold (${compiler})`);
    }
  }
  return 0;
});

/** @param {string} name */
function declarationsOf(name) {
  const folder = join('packages', name, 'dist');
  const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
  return files.filter((file) => file.endsWith('.d.ts')).map((file) => join(folder, file));
}

/** @param {string} file */
function linesWithAny(file) {
  const code = readFileSync(join(root, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
  const lines = code.split('\n').filter((line) => /\bany\b/.test(line) && line !== 'export type Foreign = any;');
  return lines.map((line) => `${file}: ${line.trim()}`);
}
