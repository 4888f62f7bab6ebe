import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleFlows } from '../test/runtimes/run/bundle.mjs';
import { installPacked } from '../test/runtimes/run/packed.mjs';
import { programs } from '../test/runtimes/run/programs.mjs';
import { run } from '../test/runtimes/run/round.mjs';
import { build } from './build.mjs';
import { install } from './install.mjs';
import { exitWith } from './problem.mjs';
import { root } from './root.mjs';
import { setup } from './setup.mjs';

// `npm run test:runtimes`: the portable flows on every runtime that we claim to run on, from the packed packages.
await exitWith(async () => {
  const { node } = await setup();
  install(join(root, 'test/runtimes'));
  await build(node);
  // Where symbolic links lead: Deno's permissions are for real paths.
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'latchkey-runtimes-')));
  try {
    installPacked(folder, ['core', 'testing', 'express'], ['express', '@simplewebauthn/server']);
    await bundleFlows(folder);
    return report(run(folder, programs(node)));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/**
 * A line for each runtime, and then what failed.
 *
 * @param {import('../test/runtimes/run/round.mjs').Result[]} results
 */
function report(results) {
  const failures = results.flatMap(({ name, failures }) => failures.map((failure) => ({ runtime: name, ...failure })));
  for (const { name, passed, failures, missing } of results) {
    console.log(missing ? `${name}: not on this machine` : `${name}: ${passed} passed, ${failures.length} failed`);
  }
  for (const { runtime, name, error } of failures) console.error(`\nFAILED ${runtime}: ${name}\n${error}`);
  return failures.length === 0 ? 0 : 1;
}
