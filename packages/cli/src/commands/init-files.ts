import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Framework } from '../load/frameworks.ts';
import { installedFrom, type Project } from '../load/project.ts';

/** The stores for which there is a template. */
export const stores = ['sqlite', 'postgres', 'mysql', 'redis'] as const;

/** Name of a store. */
export type StoreName = (typeof stores)[number];

/** A file to write. */
export interface NewFile {
  /** Path relative to the project. */
  readonly path: string;
  readonly text: string;
}

const templates = fileURLToPath(new URL('../../templates', import.meta.url));

/** Returns the files of a first sign-in, except those of the environment. */
export function filesFor(project: Project, framework: Framework, store: StoreName | undefined): NewFile[] {
  const isTyped = usesTypeScript(project);
  const folders = [framework, ...foldersOfMajor(framework, project.root)];
  const files = folders.flatMap((folder) => filesIn(join(templates, folder)));
  // Next.js reads `src/app` if there is no `app`.
  const prefix = framework === 'next' && isBelowSource(project.root) ? 'src/' : '';
  if (store !== undefined) files.push({ path: storePath(framework), text: storeText(store, folders) });
  // Declarations of types mean nothing in JavaScript.
  const wanted = isTyped ? files : files.filter(({ path }) => !path.endsWith('.d.ts'));
  return wanted.map(({ path, text }) => {
    const made = withLines(text, { isTyped, hasStore: store !== undefined });
    return isTyped ? { path: prefix + path, text: made } : untyped({ path: prefix + path, text: made });
  });
}

/** Node.js runs TypeScript without a `tsconfig.json`. */
function usesTypeScript({ root, manifest: { dependencies } }: Project): boolean {
  if (existsSync(join(root, 'tsconfig.json'))) return true;
  return Object.keys(dependencies).some((name) => name === 'typescript' || name.startsWith('@types/'));
}

/** The files that differ between majors. If the framework is not installed yet, those of the newest. */
function foldersOfMajor(framework: Framework, root: string): readonly string[] {
  const majorOf = (name: string): number => Number.parseInt(installedFrom(root, name)?.version ?? '99', 10);
  if (framework === 'next') return [majorOf('next') < 16 ? 'next-15' : 'next-16'];
  if (framework === 'sveltekit') return [majorOf('@sveltejs/kit') < 3 ? 'sveltekit-2' : 'sveltekit-3'];
  return [];
}

function isBelowSource(root: string): boolean {
  return !existsSync(join(root, 'app')) && existsSync(join(root, 'src/app'));
}

function filesIn(folder: string): NewFile[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return { path: path.slice(folder.length + 1).replaceAll('\\', '/'), text: readFileSync(path, 'utf8') };
    })
    .sort((one, other) => one.path.localeCompare(other.path, 'en'));
}

/** Beside the configuration, which imports it. */
const STORE_PATHS: Partial<Record<Framework, string>> = {
  sveltekit: 'src/store.ts',
  astro: 'src/store.ts',
  nitro: 'server/utils/store.ts',
  // Files with such a name never reach the browser.
  'react-router': 'app/store.server.ts',
  'tanstack-start': 'src/store.server.ts',
};

function storePath(framework: Framework): string {
  return STORE_PATHS[framework] ?? 'store.ts';
}

/** In SvelteKit, `process.env` lacks the `.env` files while one develops. */
function storeText(store: StoreName, folders: readonly string[]): string {
  const text = readFileSync(join(templates, 'stores', `${store}.ts`), 'utf8');
  const line = folders.includes('sveltekit-3')
    ? "import * as env from '$app/env/private';\n"
    : folders.includes('sveltekit-2')
      ? "import { env } from '$env/dynamic/private';\n"
      : undefined;
  return line === undefined ? text : line + text.replaceAll('process.env', 'env');
}

/** Keeps or drops the lines with a condition. */
function withLines(text: string, { isTyped, hasStore }: { isTyped: boolean; hasStore: boolean }): string {
  const lines = text.split('\n').flatMap((line) => {
    const [, indent = '', condition, rest = ''] = /^(\s*)\/\/#(store|typed) (.*)$/.exec(line) ?? [];
    if (condition === undefined) return [line];
    return (condition === 'store' ? hasStore : isTyped) ? [indent + rest] : [];
  });
  return lines.join('\n');
}

/** Templates have types only for parameters, and one of a call. */
function untyped({ path, text }: NewFile): NewFile {
  return {
    path: path.replace(/\.ts$/, '.js'),
    text: text
      .replace(/(\w+): (?:Context|IncomingMessage|ServerResponse)(?=[,)])/g, '$1')
      .replace(/(\w)<\{ .* \}>(?=\()/g, '$1')
      .replace(/(from '\.[^']*)\.ts'/g, "$1.js'"),
  };
}
