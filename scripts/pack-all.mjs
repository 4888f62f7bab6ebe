import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { exitWith } from './run.mjs';
import { build, npm, root, setup } from './setup.mjs';

const folder = join(root, 'packed');

/** The packages that an application needs, by framework. */
const needed = {
  Express: ['core', 'express', 'adapter-sql'],
  'Next.js': ['core', 'next', 'adapter-sql'],
  SvelteKit: ['core', 'sveltekit', 'adapter-sql'],
};

// `npm run pack:all`: writes the packages as they would be published into `packed/`, and prints how to install them.
await exitWith(async () => {
  const { node } = setup();
  await build(node);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  const files = new Map(readdirSync(join(root, 'packages')).map((name) => [name, pack(name)]));
  console.log(`\nlatchkey: ${files.size} packages are in ${folder}. In your application, run one of these:\n`);
  for (const [framework, names] of Object.entries(needed)) {
    const paths = names.map((name) => files.get(name)).join(' ');
    console.log(`  ${framework.padEnd(10)} npm install ${paths}`);
  }
  return 0;
});

/**
 * @param {string} name
 * @returns The path of the package's file.
 */
function pack(name) {
  const source = join(root, 'packages', name);
  const [{ filename }] = JSON.parse(npm(['pack', '--json', '--silent', '--pack-destination', folder], source));
  return JSON.stringify(join(folder, filename));
}
