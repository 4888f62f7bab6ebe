import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { emptyProject, installCommands, packAll } from '../scripts/packages.mjs';
import { npm, root } from '../scripts/setup.mjs';

/** Dependencies of the packages that `npm install` would download. */
const downloaded = ['kysely', 'oauth4webapi'];

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
  Astro: `
    import { AstroAuth } from '@latchkey/astro';
    import GitHub from '@latchkey/astro/providers/github';
    console.log(typeof AstroAuth({ providers: [GitHub] }).handler);`,
  Fastify: `
    import { FastifyAuth } from '@latchkey/fastify';
    import GitHub from '@latchkey/fastify/providers/github';
    console.log(typeof FastifyAuth({ providers: [GitHub] }).plugin);`,
  h3: `
    import { H3Auth } from '@latchkey/h3';
    import GitHub from '@latchkey/h3/providers/github';
    console.log(typeof H3Auth({ providers: [GitHub] }).handler);`,
  // The module itself runs at build time.
  Nuxt: `
    import { H3Auth } from '@latchkey/nuxt/server';
    import GitHub from '@latchkey/nuxt/providers/github';
    console.log(typeof H3Auth({ providers: [GitHub] }).handler);`,
  'React Router': `
    import { ReactRouterAuth } from '@latchkey/react-router';
    import GitHub from '@latchkey/react-router/providers/github';
    console.log(typeof ReactRouterAuth({ providers: [GitHub] }).handler);`,
  Hono: `
    import { HonoAuth } from '@latchkey/hono';
    import GitHub from '@latchkey/hono/providers/github';
    console.log(typeof HonoAuth({ providers: [GitHub] }).handler);`,
  'TanStack Start': `
    import { TanStackAuth } from '@latchkey/tanstack-start';
    import GitHub from '@latchkey/tanstack-start/providers/github';
    console.log(typeof TanStackAuth({ providers: [GitHub] }).handler);`,
  Others: `
    import GitHub from '@latchkey/core/providers/github';
    console.log(typeof GitHub);`,
};

const common = `
  import { SqlAdapter } from '@latchkey/adapter-sql';
  import { Auth } from '@latchkey/core';
  import { encode } from '@latchkey/core/jwt';
  if (![SqlAdapter, Auth, encode].every((each) => typeof each === 'function')) throw new Error('not a function');`;

describe('npm run pack:all', () => {
  const folder = emptyProject();
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const overrides = packedDependencies(folder);
  const files = packAll(folder);
  const commands = installCommands(files);

  it('packs each package, and prints a command for each framework', () => {
    expect([...files.keys()]).toEqual(readdirSync(join(root, 'packages')).sort());
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

/** A file of a package, and its size in bytes. */
interface PackedFile {
  path: string;
  size: number;
}

/** Returns the files that a package would be published with. */
function contentsOf(name: string): PackedFile[] {
  const [{ files }] = JSON.parse(npm(['pack', '--dry-run', '--json', '--silent', `./packages/${name}`], root));
  return files;
}

/** One line for each file. The declarations of a folder are one line, and so are all providers. */
function listOf(files: readonly PackedFile[]): string {
  const lines = files.map(({ path }) =>
    path.replace(/[\w-]+(\.d\.ts)$/, '*$1').replace(/^dist\/providers\/(?!index\b)[\w-]+\.js$/, 'dist/providers/*.js'),
  );
  return `${[...new Set(lines)].sort().join('\n')}\n`;
}

// After a change that is meant: `npx vitest run test/packages.test.ts -u`, and the limits in `test/packed/limits.json`.
describe('the contents of a package', () => {
  const limits: Record<string, number> = JSON.parse(readFileSync(join(root, 'test/packed/limits.json'), 'utf8'));
  const packages = Object.keys(limits).map((name) => ({ name, files: contentsOf(name) }));

  it.each(packages)('$name has the listed files', async ({ name, files }) => {
    await expect(listOf(files)).toMatchFileSnapshot(join(root, 'test/packed', `${name}.txt`));
  });

  it.each(packages)('$name is not larger than its limit', ({ name, files }) => {
    const kilobytes = files.reduce((sum, { size }) => sum + size, 0) / 1000;
    expect(kilobytes).toBeLessThanOrEqual(limits[name] ?? 0);
    expect(kilobytes, 'lower the limit').toBeGreaterThan((limits[name] ?? 0) * 0.75);
  });

  it.each(packages)('$name has no source maps, and does not refer to them', ({ name, files }) => {
    const code = files.filter(({ path }) => path.endsWith('.js'));
    const withMap = code.filter(({ path }) =>
      /sourceMappingURL/.test(readFileSync(join(root, 'packages', name, path), 'utf8')),
    );
    expect(files.filter(({ path }) => path.endsWith('.map'))).toEqual([]);
    expect(withMap).toEqual([]);
  });
});
