import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { installCommands, loadInEmptyProject, packAll, toolsCommand } from './packages.mjs';
import { exitWith } from './run.mjs';
import { build, root, setup } from './setup.mjs';

const folder = join(root, 'packed');

// `npm run pack:all`: writes the packages as they would be published into `packed/`, proves that they
// can be installed and loaded, and prints how to install them.
await exitWith(async () => {
  const { node } = setup();
  await build(node);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  const files = packAll(folder);
  const loaded = loadInEmptyProject(files, node);
  console.log(`\nlatchkey: installed all packages into an empty project, and loaded ${loaded} modules`);
  console.log(`latchkey: ${files.size} packages are in ${folder}. In your application, run one of these:\n`);
  for (const [framework, command] of installCommands(files)) console.log(`  ${framework.padEnd(10)} ${command}`);
  console.log(`\nlatchkey: then, for \`npx latchkey\` and for tests:\n\n  ${toolsCommand(files)}`);
  return 0;
});
