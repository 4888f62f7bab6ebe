import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exitWith } from '../../../scripts/run.mjs';
import { build, install, root, setup } from '../../../scripts/setup.mjs';
import { bundleFlows } from './bundle.mjs';
import { installPacked } from './packed.mjs';
import { programs } from './programs.mjs';
import { run } from './round.mjs';

// `npm run test:runtimes`: the portable flows on every runtime that Latchkey supports, from the packed packages.
await exitWith(async () => {
  const { node } = setup();
  install(join(root, 'test/runtimes'));
  await build(node);
  // The path behind symbolic links: Deno's permissions are for real paths.
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
 * @param {import('./round.mjs').Result[]} results
 */
function report(results) {
  const failures = results.flatMap(({ name, failures }) => failures.map((failure) => ({ runtime: name, ...failure })));
  for (const { name, passed, failures, missing } of results) {
    console.log(missing ? `${name}: not on this machine` : `${name}: ${passed} passed, ${failures.length} failed`);
  }
  for (const { runtime, name, error } of failures) console.error(`\nFAILED ${runtime}: ${name}\n${error}`);
  return failures.length === 0 ? 0 : 1;
}
