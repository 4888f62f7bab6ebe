import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { exitWith, run } from './run.mjs';
import { build, root, setup } from './setup.mjs';

// `npm start`: the Express demo, from nothing. `npm start -- next` starts `examples/next`, and so on.
await exitWith(async () => {
  const [first = '', ...others] = process.argv.slice(2);
  const isNamed = /^[\w-]+$/.test(first) && existsSync(join(root, 'examples', first, 'start.ts'));
  console.log('latchkey: installing and building. The first time takes one or two minutes, and npm prints nothing.');
  const example = join(root, 'examples', isNamed ? first : 'express');
  // Some examples have a lockfile of their own.
  const { node } = setup([root, example].filter((folder) => existsSync(join(folder, 'package-lock.json'))));
  await build(node);
  const program = ['--import', './scripts/end-with-parent.mjs', `examples/${isNamed ? first : 'express'}/start.ts`];
  return run(node, [...program, ...(isNamed ? others : process.argv.slice(2))], { cwd: root });
});
