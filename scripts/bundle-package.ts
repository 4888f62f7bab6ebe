import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { type OutputChunk, rolldown } from 'rolldown';
import { docs } from './bundle-docs.ts';
import { marks } from './bundle-marks.ts';
import { groupsOf, type Part } from './bundle-parts.ts';
import { Problem } from './run.mjs';
import { root } from './setup.mjs';

/** URL of the site with the documentation. Messages name its page of errors. */
const { homepage } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { homepage?: string };

/** A package, and how its JavaScript is built. */
export interface Bundle {
  /** Name of the folder in `packages`. */
  readonly name: string;
  /** Dependencies whose code is included, because loading them file by file makes a start slow. */
  readonly inline: readonly string[];
  /** Whether the package may import `node:` modules. Default: `false`, because bundlers for browsers reject them. */
  readonly node?: boolean;
  /** Files for modules that are loaded together. A module belongs to the first part that needs it. */
  readonly parts?: readonly Part[];
}

/** The folders of a package, and its `package.json`. */
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

/** Returns the folders of a package, and its `package.json`. */
export function placeOf({ name }: Bundle): Place {
  const folder = join(root, 'packages', name);
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Place['manifest'];
  return { folder, source: join(folder, 'src'), output: join(folder, 'dist'), manifest };
}

/**
 * Returns the JavaScript in the output folder that the bundler writes. `scripts/reexports.ts` writes the providers of
 * the bindings.
 */
export function writtenFiles({ output, source }: Place): string[] {
  const others = existsSync(join(source, 'providers')) ? [] : ['providers/**'];
  return globSync('**/*.js{,.map}', { cwd: output, exclude: others });
}

/** Returns the folder of a dependency. */
export function installed(name: string): string {
  return join(root, 'node_modules', name);
}

/**
 * Writes the package's JavaScript. Each file is replaced at once, so that a program that is reading finds whole files.
 *
 * @throws {Problem} if a file imports a package that is not a dependency.
 */
export async function writeBundle({ inline, parts = [], node = false }: Bundle, place: Place): Promise<void> {
  const { output } = place;
  const bundle = await rolldown({
    input: entries(place),
    platform: 'neutral',
    plugins: [marks(), docs(homepage)],
    resolve: { mainFields: ['module', 'main'], conditionNames: ['import'] },
    external: (id) => !id.startsWith('.') && !id.startsWith('mark:') && !isAbsolute(id) && !inline.includes(id),
    treeshake: { moduleSideEffects: false },
    preserveEntrySignatures: 'strict',
    // The compiler has checked that the sources use no newer syntax than its own target.
    transform: { target: 'esnext' },
  });
  const { output: files } = await bundle.generate({
    dir: output,
    format: 'esm',
    sourcemap: true,
    // The declarations have the comments that editors show.
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
  for (const name of writtenFiles(place)) if (!made.has(name)) rmSync(join(output, name));
}

/** Returns the modules that the package exports, by their path below `dist`. */
function entries({ manifest, source }: Place): Record<string, string> {
  const paths = Object.values(manifest.exports).flatMap((target) => (typeof target === 'string' ? [] : target.default));
  const names = paths.flatMap((path) =>
    globSync(path.replace('./dist/', '').replace(/\.js$/, '.ts'), { cwd: source }).map((name) => name.slice(0, -3)),
  );
  return Object.fromEntries(names.map((name) => [name, join(source, `${name}.ts`)]));
}

/** A package that is not a dependency, such as a helper of the bundler, would be missing after an installation. */
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
    throw new Problem(`${fileName} needs ${id}, which is not a dependency of ${own}`);
  }
}

function put(output: string, name: string, content: string | Uint8Array): void {
  const file = join(output, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.new`, content);
  renameSync(`${file}.new`, file);
}
