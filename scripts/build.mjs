import { Problem } from './problem.mjs';
import { root } from './root.mjs';
import { run } from './run.mjs';

/**
 * Compiles what changed.
 *
 * @param {string} node The path of the project's Node.js.
 */
export async function build(node) {
  const code = await run(node, ['node_modules/typescript-7/bin/tsc', '-b'], { cwd: root });
  if (code !== 0) throw new Problem('the build failed: see above');
}
