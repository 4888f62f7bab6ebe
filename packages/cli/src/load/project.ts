import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { Failure } from '../terminal.ts';
import { type Framework, factsOf, frameworkOf } from './frameworks.ts';
import { sourcesIn } from './sources.ts';

/** The `package.json` of an application. */
export interface Manifest {
  readonly type?: string;
  readonly scripts: Readonly<Record<string, string>>;
  /** All dependencies, of development too, with their ranges. */
  readonly dependencies: Readonly<Record<string, string>>;
}

/** An application. */
export interface Project {
  readonly root: string;
  readonly manifest: Manifest;
  readonly framework: Framework;
}

/** Returns the application in a folder. */
export function projectIn(root: string): Project {
  const manifest = manifestIn(root);
  return { root, manifest, framework: frameworkOf(manifest.dependencies) };
}

/** Returns the framework of the application in a folder. */
export function detectFramework(root: string): Framework {
  return frameworkOf(manifestIn(root).dependencies);
}

/** @throws {Failure} if the file is not JSON. */
function manifestIn(root: string): Manifest {
  const file = join(root, 'package.json');
  if (!existsSync(file)) return { scripts: {}, dependencies: {} };
  try {
    const { type, scripts, dependencies, devDependencies } = JSON.parse(readFileSync(file, 'utf8'));
    return { type, scripts: { ...scripts }, dependencies: { ...devDependencies, ...dependencies } };
  } catch {
    throw new Failure(`${file} is not valid JSON. Correct it`);
  }
}

const EXTENSIONS = ['ts', 'mts', 'js', 'mjs', 'tsx'];

/**
 * Returns the file with the configuration.
 *
 * @param given The option `--config`.
 * @throws {Failure} if it does not exist.
 */
export function authFileOf({ root, framework }: Project, given: string | undefined): string {
  if (given !== undefined) {
    const file = resolve(root, given);
    if (existsSync(file)) return file;
    throw new Failure(`${given} does not exist. Correct --config`);
  }
  const { places } = factsOf(framework);
  const files = places.flatMap((place) => EXTENSIONS.map((extension) => `${place}.${extension}`));
  const found = files.find((file) => existsSync(join(root, file)));
  if (found !== undefined) return join(root, found);
  const [other] = filesWithBinding(root);
  const remedy = other === undefined ? 'Name the file with --config, or run `latchkey init`' : `Try --config ${other}`;
  throw new Failure(
    `no configuration was found. Looked for ${places.join(', ')} (${EXTENSIONS.join(', ')}). ${remedy}`,
  );
}

const BINDING = /\b(?:[A-Z]\w*Auth|defineConfig)\(/;

/** Yields files that seem to construct a binding. They may be servers, so they are not loaded without being named. */
function* filesWithBinding(root: string): Iterable<string> {
  for (const { path, text } of sourcesIn(root)) if (text.includes('@latchkey/') && BINDING.test(text)) yield path;
}

/** An installed package. */
export interface Installed {
  /** Folder of the package, without symbolic links. */
  readonly folder: string;
  readonly version: string;
  readonly peers: Readonly<Record<string, string>>;
}

/** Returns the package that a file in `from` would import; `undefined` if it is not installed. */
export function installedFrom(from: string, name: string): Installed | undefined {
  let folder = from;
  for (;;) {
    const file = join(folder, 'node_modules', name, 'package.json');
    if (existsSync(file)) {
      const { version, peerDependencies } = JSON.parse(readFileSync(file, 'utf8'));
      const real = dirname(createRequire(file).resolve(file));
      return { folder: real, version: String(version), peers: { ...peerDependencies } };
    }
    const parent = dirname(folder);
    if (parent === folder) return undefined;
    folder = parent;
  }
}
