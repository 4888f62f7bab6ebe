import { globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { type OutputChunk, rolldown } from 'rolldown';
import { groupsOf, type Part } from './bundle-parts.ts';
import { Problem } from './problem.mjs';
import { root } from './root.mjs';

/** A package, and how its JavaScript is written. */
export interface Bundle {
  /** Of the folder in `packages`. */
  readonly name: string;
  /** Dependencies whose code comes along: what else a start would have to look for, and to read file by file. */
  readonly inline: readonly string[];
  /** For Node alone: it may import `node:` modules. Default: `false`, browsers' bundlers must not stumble on it. */
  readonly node?: boolean;
  /** Files for what is loaded together; a module is in the first of them that needs it. */
  readonly parts?: readonly Part[];
}

/** Where a package is, and what it says of itself. */
export interface Place {
  readonly folder: string;
  readonly source: string;
  readonly output: string;
  readonly manifest: {
    readonly name: string;
    readonly exports: Record<string, string | { default: string }>;
    readonly dependencies: Record<string, string>;
    readonly peerDependencies?: Record<string, string>;
  };
}

export function placeOf({ name }: Bundle): Place {
  const folder = join(root, 'packages', name);
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Place['manifest'];
  return { folder, source: join(folder, 'src'), output: join(folder, 'dist'), manifest };
}

/** The folder of a dependency. */
export function installed(name: string): string {
  return join(root, 'node_modules', name);
}

/**
 * Writes the package's JavaScript. A program that reads there meanwhile finds each file as it was or as it is.
 *
 * @throws {Problem} when a file needs a package that ours does not depend on.
 */
export async function writeBundle({ inline, parts = [], node = false }: Bundle, place: Place): Promise<void> {
  const { output } = place;
  const bundle = await rolldown({
    input: entries(place),
    platform: 'neutral',
    resolve: { mainFields: ['module', 'main'], conditionNames: ['import'] },
    external: (id) => !id.startsWith('.') && !isAbsolute(id) && !inline.includes(id),
    treeshake: { moduleSideEffects: false },
    preserveEntrySignatures: 'strict',
    // The compiler has seen to it that the sources have nothing newer than its own target.
    transform: { target: 'esnext' },
  });
  const { output: files } = await bundle.generate({
    dir: output,
    format: 'esm',
    sourcemap: true,
    // Editors show those of the declarations.
    comments: { jsdoc: false },
    codeSplitting: { groups: groupsOf(parts, place.source, [place.source, ...inline.map(installed)]) },
    entryFileNames: '[name].js',
    chunkFileNames: 'parts/[name].js',
    minifyInternalExports: false,
  });
  await bundle.close();
  for (const file of files) if (file.type === 'chunk') refuseUndeclared(file, place, node);
  for (const file of files) put(output, file.fileName, file.type === 'chunk' ? file.code : file.source);
  for (const name of inline) put(output, `licenses/${name}.txt`, readFileSync(join(installed(name), 'LICENSE')));
  const made = new Set(files.map(({ fileName }) => fileName));
  for (const name of globSync('**/*.js{,.map}', { cwd: output })) if (!made.has(name)) rmSync(join(output, name));
}

/** The modules that the package exports, by their path below `dist`. */
function entries({ manifest, source }: Place): Record<string, string> {
  const paths = Object.values(manifest.exports).flatMap((target) => (typeof target === 'string' ? [] : target.default));
  const names = paths.flatMap((path) =>
    globSync(path.replace('./dist/', '').replace(/\.js$/, '.ts'), { cwd: source }).map((name) => name.slice(0, -3)),
  );
  return Object.fromEntries(names.map((name) => [name, join(source, `${name}.ts`)]));
}

/** A helper of the bundler's, say, would be missing where the package is installed. */
function refuseUndeclared(
  { fileName, imports, dynamicImports }: OutputChunk,
  { manifest }: Place,
  node: boolean,
): void {
  const { name: own, dependencies, peerDependencies } = manifest;
  for (const id of [...imports, ...dynamicImports]) {
    const name = id.match(/^(@[^/]+\/)?[^/]+/)?.[0] ?? id;
    const isDependency = Object.hasOwn({ ...dependencies, ...peerDependencies }, name);
    if (id.endsWith('.js') || isDependency || (node && id.startsWith('node:'))) continue;
    throw new Problem(`${fileName} needs ${id}, which is no dependency of ${own}`);
  }
}

function put(output: string, name: string, content: string | Uint8Array): void {
  const file = join(output, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.new`, content);
  renameSync(`${file}.new`, file);
}
