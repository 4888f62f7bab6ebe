import { build } from './build.mjs';
import { exitWith } from './problem.mjs';
import { root } from './root.mjs';
import { run } from './run.mjs';
import { setup } from './setup.mjs';

// `npm start`: the Express example, from nothing. `npm run start:next` and `npm run start:sveltekit` name another one.
await exitWith(async () => {
  const [named = '', ...others] = process.argv.slice(2);
  const isNamed = ['express', 'next', 'sveltekit'].includes(named);
  console.log('latchkey: getting ready; the first time this takes a minute or two, without a word from npm');
  const { node } = await setup();
  await build(node);
  const program = ['--import', './scripts/end-with-parent.mjs', `examples/${isNamed ? named : 'express'}/start.ts`];
  return run(node, [...program, ...(isNamed ? others : process.argv.slice(2))], { cwd: root });
});
