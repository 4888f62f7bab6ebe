import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { installCommands, packAll } from './packages.mjs';
import { exitWith } from './run.mjs';
import { build, root, setup } from './setup.mjs';

const folder = join(root, 'packed');

// `npm run pack:all`: writes the packages as they would be published into `packed/`, and prints how to install them.
await exitWith(async () => {
  const { node } = setup();
  await build(node);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  const files = packAll(folder);
  console.log(`\nlatchkey: ${files.size} packages are in ${folder}. In your application, run one of these:\n`);
  for (const [framework, command] of installCommands(files)) console.log(`  ${framework.padEnd(10)} ${command}`);
  return 0;
});
