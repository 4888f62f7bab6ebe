import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ModuleInfo, type OutputChunk, rolldown, VERSION } from 'rolldown';
import { exitWith, Problem } from '../../../scripts/problem.mjs';

const folder = fileURLToPath(new URL('..', import.meta.url));
const source = join(folder, 'src');
const output = join(folder, 'dist');
const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
  name: string;
  exports: Record<string, string | { default: string }>;
  dependencies: Record<string, string>;
  peerDependencies: Record<string, string>;
};
/** What the files of the last build were made of. */
const stamp = join(output, '.bundle');

// The JavaScript of the package; its declarations are the compiler's. What is used together is in one file: a start
// reads a few files instead of one for each module (decisions/27).
await exitWith(async () => {
  const wanted = fingerprint();
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return 0;
  rmSync(stamp, { force: true });
  await write();
  writeFileSync(stamp, wanted);
  return 0;
});

function fingerprint(): string {
  const hash = createHash('sha256').update(VERSION);
  const files = globSync('**/*.ts', { cwd: source }).map((name) => join(source, name));
  for (const file of [import.meta.filename, join(folder, 'package.json'), ...files.sort()]) {
    hash.update(`\0${relative(folder, file)}\0`).update(readFileSync(file));
  }
  return hash.digest('hex');
}

/** The modules that the package exports, by their path below `dist`. */
function entries(): Record<string, string> {
  const paths = Object.values(manifest.exports).flatMap((target) => (typeof target === 'string' ? [] : target.default));
  const names = paths.flatMap((path) =>
    globSync(path.replace('./dist/', '').replace(/\.js$/, '.ts'), { cwd: source }).map((name) => name.slice(0, -3)),
  );
  return Object.fromEntries(names.map((name) => [name, join(source, `${name}.ts`)]));
}

interface Modules {
  getModuleInfo(id: string): ModuleInfo | null;
}

/** Tells of each module whether every request for a session needs it; it comes with `auth.ts` then. */
function ofSessions(): (id: string, modules: Modules) => boolean {
  const found = new Set<string>();
  return (id, modules) => {
    const add = (next: string): void => {
      if (found.has(next) || !next.startsWith(source)) return;
      found.add(next);
      for (const further of modules.getModuleInfo(next)?.importedIds ?? []) add(further);
    };
    add(join(source, 'auth.ts'));
    return found.has(id);
  };
}

/** A program that reads there meanwhile finds each file as it was or as it is. */
async function write(): Promise<void> {
  const isOfSessions = ofSessions();
  const bundle = await rolldown({
    input: entries(),
    platform: 'neutral',
    external: (id) => !/^[./]/.test(id),
    treeshake: { moduleSideEffects: false },
    preserveEntrySignatures: 'strict',
    // The compiler has seen to it that the sources have nothing newer than its own target.
    transform: { target: 'esnext' },
  });
  const { output: files } = await bundle.generate({
    dir: output,
    format: 'esm',
    sourcemap: true,
    codeSplitting: {
      groups: [{ debugName: 'session', name: (id, modules) => (isOfSessions(id, modules) ? 'session' : null) }],
    },
    entryFileNames: '[name].js',
    chunkFileNames: 'parts/[name].js',
    minifyInternalExports: false,
  });
  await bundle.close();
  for (const file of files) if (file.type === 'chunk') refuseUndeclared(file);
  for (const file of files) place(file.fileName, file.type === 'chunk' ? file.code : file.source);
  const made = new Set(files.map(({ fileName }) => fileName));
  for (const name of globSync('**/*.js{,.map}', { cwd: output })) if (!made.has(name)) rmSync(join(output, name));
}

/** @throws {Problem} when the file needs a package that ours does not depend on: a helper of the bundler's, say. */
function refuseUndeclared({ fileName, imports, dynamicImports }: OutputChunk): void {
  const { dependencies, peerDependencies } = manifest;
  for (const id of [...imports, ...dynamicImports]) {
    const name = id.match(/^(@[^/]+\/)?[^/]+/)?.[0] ?? id;
    const isOwn = id.endsWith('.js');
    if (!isOwn && !Object.hasOwn({ ...dependencies, ...peerDependencies }, name))
      throw new Problem(`${fileName} needs ${id}, which is no dependency of ${manifest.name}`);
  }
}

function place(name: string, content: string | Uint8Array): void {
  const file = join(output, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.new`, content);
  renameSync(`${file}.new`, file);
}
