import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { readIfPresent } from '../files.ts';
import { Failure } from '../terminal.ts';
import { factsOf } from './frameworks.ts';
import type { Project } from './project.ts';

/** Environment variables by name. */
export type Env = Readonly<Record<string, string | undefined>>;

/** The environment of an application, and its files. */
export interface ApplicationEnv {
  /** The variables that the application gets. Those of the process win. */
  readonly values: Env;
  /** The files that were read, relative to the project. */
  readonly files: readonly string[];
  /** The file that each variable comes from. Variables of the process are absent. */
  readonly sources: Readonly<Record<string, string>>;
  /** Files of environment variables that exist, and that nothing loads. */
  readonly unread: readonly string[];
  /** Variables whose value in a file names other variables. */
  readonly expanded: readonly string[];
}

/**
 * Reads the environment as the framework does. Next.js and most frameworks on Vite read the files of the mode, Nitro
 * reads `.env`. Other servers read the files that their scripts name, and `.env` if they depend on `dotenv`.
 *
 * @param given The option `--env-file`.
 * @throws {Failure} if `given` does not exist.
 */
export function applicationEnv(project: Project, env: Env, given: string | undefined): ApplicationEnv {
  if (given !== undefined && !existsSync(resolve(project.root, given))) {
    throw new Failure(`${given} does not exist. Correct --env-file`);
  }
  const { envFiles, setsMode } = factsOf(project.framework);
  const mode = env['NODE_ENV'] ?? 'development';
  const names = envFiles === 'mode' ? modeFiles(mode) : envFiles === 'dotenv' ? ['.env'] : serverFiles(project);
  const files = [...new Set([...(given === undefined ? [] : [given]), ...names])].filter((name) =>
    existsSync(resolve(project.root, name)),
  );
  const values: Record<string, string | undefined> = setsMode ? { NODE_ENV: mode } : {};
  const sources: Record<string, string> = {};
  // The first file wins, as in the frameworks.
  for (const file of files.toReversed()) {
    for (const [name, value] of Object.entries(parseEnv(readIfPresent(resolve(project.root, file)) ?? ''))) {
      values[name] = value;
      sources[name] = file;
    }
  }
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined) continue;
    values[name] = value;
    delete sources[name];
  }
  const expanded = envFiles === 'mode' ? expand(values, Object.keys(sources)) : [];
  const unread = ['.env', '.env.local'].filter((name) => existsSync(join(project.root, name)) && !files.includes(name));
  return { values, files, sources, unread, expanded };
}

/** The order of Next.js and Vite, the strongest first. */
function modeFiles(mode: string): string[] {
  const local = mode === 'test' ? [] : ['.env.local'];
  return [`.env.${mode}.local`, ...local, `.env.${mode}`, '.env'];
}

const OPTION = /--env-file(?:-if-exists)?[= ]["']?([^\s"']+)/g;

function serverFiles({ manifest: { scripts, dependencies } }: Project): string[] {
  const named = ['start', 'dev'].flatMap((name) => [...(scripts[name] ?? '').matchAll(OPTION)].map(([, file]) => file));
  const loaded = Object.hasOwn(dependencies, 'dotenv') ? ['.env'] : [];
  return [...named.filter((file) => file !== undefined).toReversed(), ...loaded];
}

const REFERENCE = /(\\)?\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))/g;

/** Replaces references to other variables. Returns the names of the variables that had some. */
function expand(values: Record<string, string | undefined>, names: readonly string[]): string[] {
  const changed: string[] = [];
  for (const name of names) {
    const value = values[name] ?? '';
    const next = value.replace(REFERENCE, (whole, escaped, braced, plain) =>
      escaped ? whole.slice(1) : (values[braced ?? plain] ?? ''),
    );
    if (next === value) continue;
    values[name] = next;
    if (next !== value.replaceAll('\\$', '$')) changed.push(name);
  }
  return changed;
}
