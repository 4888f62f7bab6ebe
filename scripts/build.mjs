import { Problem } from './problem.mjs';
import { root } from './root.mjs';
import { run } from './run.mjs';

const steps = [['node_modules/typescript-7/bin/tsc', '-b'], ['scripts/bundle.ts']];

/**
 * Compiles what changed.
 *
 * @param {string} node The path of the project's Node.js.
 */
export async function build(node) {
  for (const step of steps) {
    if ((await run(node, step, { cwd: root })) !== 0) throw new Problem('the build failed: see above');
  }
}
