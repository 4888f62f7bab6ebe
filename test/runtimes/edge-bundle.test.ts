import { isBuiltin } from 'node:module';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Applications of the edge by name: each is all that can ever be loaded of it. */
const applications: Record<string, string> = {
  'Auth, a provider and jwt': `
    export { Auth } from '@latchkey/core';
    export { default as GitHub } from '@latchkey/core/providers/github';
    export * as jwt from '@latchkey/core/jwt';`,
  'all entry points of core, with all providers': `
    export * as all from '@latchkey/core';
    export * as adapters from '@latchkey/core/adapters';
    export * as binding from '@latchkey/core/binding';
    export * as client from '@latchkey/core/client';
    export * as errors from '@latchkey/core/errors';
    export * as jwt from '@latchkey/core/jwt';
    export * as providers from '@latchkey/core/providers';
    export * as resend from '@latchkey/core/providers/resend';
    export * as types from '@latchkey/core/types';`,
  'passkeys, with the library that checks them': `
    export { Auth } from '@latchkey/core';
    export { default as Passkey } from '@latchkey/core/providers/passkey';
    export { default as WebAuthn } from '@latchkey/core/providers/webauthn';`,
  'Next.js: routes, middleware, pages': `
    export * as server from '@latchkey/next';
    export * as middleware from '@latchkey/next/middleware';
    export * as react from '@latchkey/next/react';
    export * as jwt from '@latchkey/next/jwt';`,
  'SvelteKit: hooks and pages': `
    export * as server from '@latchkey/sveltekit';
    export * as client from '@latchkey/sveltekit/client';`,
  'a store in a SQL database that is handed in': `
    export * from '@latchkey/adapter-sql';`,
};

describe.each(['neutral', 'browser'] as const)('a bundle for the edge (%s)', (platform) => {
  it.each(Object.entries(applications))('imports nothing of Node.js: %s', async (_, contents) => {
    expect(await nodeImports(contents, platform)).toEqual([]);
  });

  it.each([
    ['a static import', "import { hash } from 'node:crypto'; export const text = hash('sha1', '');", 'node:crypto'],
    ['a later import', "export const load = () => import('node:fs');", 'node:fs'],
    ['an import without the prefix', "export { Buffer } from 'buffer';", 'buffer'],
    ['a call of require', "export const load = () => require('node:os');", 'node:os'],
    ['an import whose address is computed', 'export const load = (name) => import(name);', 'import(…)'],
  ])('would show %s', async (_, contents, found) => {
    expect(await nodeImports(contents, platform)).toEqual([found]);
  });
});

/** Neither `this.import(x)` nor a method `import(x) {`. */
const COMPUTED_IMPORT = /(?<![.\w$])import\((?:\s|\/\*.*?\*\/)*(?!["'\s/])(?![^)]*\)\s*\{)/;

/** Returns the modules of Node.js that the chunks of an application import, including dynamic and computed imports. */
async function nodeImports(contents: string, platform: 'neutral' | 'browser'): Promise<string[]> {
  const { metafile, outputFiles } = await build({
    stdin: { contents, resolveDir: root, loader: 'ts' },
    absWorkingDir: root,
    bundle: true,
    splitting: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform,
    mainFields: ['module', 'main'],
    conditions: ['import'],
    // Modules of the framework. SMTP is not available at the edge.
    external: [
      'node:*',
      'buffer',
      'crypto',
      'next',
      'next/*',
      'react',
      'react/*',
      '@sveltejs/kit',
      '$app/*',
      'nodemailer',
    ],
    alias: Object.fromEntries(
      ['core', 'next', 'sveltekit', 'adapter-sql'].map((name) => [`@latchkey/${name}`, `./packages/${name}/src`]),
    ),
    outdir: 'out',
    logLevel: 'silent',
  });
  const imports = Object.values(metafile.outputs).flatMap((output) => output.imports.map(({ path }) => path));
  const computed = outputFiles.some(({ text }) => COMPUTED_IMPORT.test(text)) ? ['import(…)'] : [];
  return [...new Set(imports.filter((path) => isBuiltin(path)))].concat(computed);
}
