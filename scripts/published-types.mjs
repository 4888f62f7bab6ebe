import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { exitWith, Problem, run } from './run.mjs';
import { lockedFolders, root, setup } from './setup.mjs';

/** Each project is compiled separately, because some of them extend interfaces of Latchkey. */
const projects = [
  'tsconfig.json',
  'tsconfig.exact.json',
  'augmented/tsconfig.adapter-sql.json',
  'augmented/tsconfig.core.json',
  'augmented/tsconfig.express.json',
  'augmented/tsconfig.sveltekit.json',
];

/** For TypeScript 6 only: TypeScript 7 always reads `exports`. */
const withoutExports = 'node10/tsconfig.json';

// Checks the types of the built packages: they contain no `any`, applications can use them, and they are compatible
// with those of Auth.js.
await exitWith(async () => {
  const { node } = setup(lockedFolders());
  const lenient = readdirSync(join(root, 'packages')).flatMap(declarationsOf).flatMap(linesWithAny);
  if (lenient.length > 0)
    throw new Problem(`\`any\` is published; use \`unknown\` or \`Untyped\`:\n${lenient.join('\n')}`);
  for (const compiler of ['typescript-7', 'typescript']) {
    for (const project of compiler === 'typescript' ? [...projects, withoutExports] : projects) {
      const code = await run(node, [`node_modules/${compiler}/bin/tsc`, '-p', join('test/types', project)], {
        cwd: root,
      });
      if (code !== 0) throw new Problem(`test/types/${project} does not compile (${compiler})`);
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
  const lines = code.split('\n').filter((line) => /\bany\b/.test(line) && line !== 'export type Untyped = any;');
  return lines.map((line) => `${file}: ${line.trim()}`);
}
