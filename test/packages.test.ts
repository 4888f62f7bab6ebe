import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { installCommands, packAll } from '../scripts/packages.mjs';
import { npm, root } from '../scripts/setup.mjs';

/** Dependencies of the packages that `npm install` would download. */
const downloaded = ['kysely', 'oauth4webapi'];

/** Returns an empty folder. It is below `node_modules`, so that Node.js finds the frameworks of the repository. */
function emptyFolder(): string {
  const cache = join(root, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'latchkey-packed-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Packs dependencies, so that npm installs them without a registry. Returns `overrides` for a `package.json`. */
function packedDependencies(folder: string): Record<string, string> {
  const args = ['pack', '--json', '--silent', '--ignore-scripts', '--pack-destination', folder];
  const packed = JSON.parse(npm([...args, ...downloaded.map((name) => `./node_modules/${name}`)], root));
  return Object.fromEntries(downloaded.map((name, index) => [name, `file:../${packed[index].filename}`]));
}

/** A program for each framework, as an application begins. */
const programs: Record<string, string> = {
  Express: `
    import { ExpressAuth } from '@latchkey/express';
    import GitHub from '@latchkey/express/providers/github';
    console.log(typeof ExpressAuth({ providers: [GitHub] }));`,
  'Next.js': `
    import NextAuth from '@latchkey/next';
    import GitHub from '@latchkey/next/providers/github';
    console.log(typeof NextAuth({ providers: [GitHub] }).auth);`,
  // The package itself imports modules that only SvelteKit's bundler provides.
  SvelteKit: `
    import '@latchkey/sveltekit/adapters';
    import GitHub from '@latchkey/sveltekit/providers/github';
    console.log(typeof GitHub);`,
};

const common = `
  import { SqlAdapter } from '@latchkey/adapter-sql';
  import { Auth } from '@latchkey/core';
  import { encode } from '@latchkey/core/jwt';
  if (![SqlAdapter, Auth, encode].every((each) => typeof each === 'function')) throw new Error('not a function');`;

describe('npm run pack:all', () => {
  const folder = emptyFolder();
  const overrides = packedDependencies(folder);
  const files = packAll(folder);
  const commands = installCommands(files);

  it('packs each package, and prints a command for each framework', () => {
    const names = ['adapter-redis', 'adapter-sql', 'cli', 'core', 'express', 'next', 'sveltekit', 'testing'];
    expect([...files.keys()]).toEqual(names);
    for (const [name, file] of files) expect([name, existsSync(file)]).toEqual([name, true]);
    expect(commands.map(([framework]) => framework)).toEqual(Object.keys(programs));
  });

  it.each(commands)('prints a command for %s that installs into an empty project', (framework, command) => {
    const project = join(folder, framework);
    mkdirSync(project);
    writeFileSync(join(project, 'package.json'), JSON.stringify({ type: 'module', overrides }));
    const paths = [...command.matchAll(/"([^"]+)"/g)].map(([, path = '']) => path);
    // Frameworks are peer dependencies, which an application has already.
    npm(['install', '--offline', '--legacy-peer-deps', '--no-audit', '--no-fund', '--silent', ...paths], project);
    writeFileSync(join(project, 'app.js'), common + programs[framework]);
    const { stdout, stderr } = spawnSync(process.execPath, ['app.js'], { cwd: project, encoding: 'utf8' });
    expect([stdout.trim(), stderr]).toEqual(['function', '']);
  });
});
