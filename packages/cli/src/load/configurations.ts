import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Inspection } from '@latchkey/core/inspection';
import { developmentOrigin, type Framework, factsOf } from './frameworks.ts';
import { importerOf } from './importers.ts';
import { type Installed, installedFrom } from './project.ts';
import { sampleRequest } from './sample-request.ts';

type InspectionModule = typeof import('@latchkey/core/inspection');
type ExplainModule = typeof import('@latchkey/core/explain');

/** A configuration, as a binding announced it. Core has the same type, which it does not export. */
interface Announcement {
  readonly binding: string;
  readonly config: unknown;
  readonly env: Record<string, string | undefined> | undefined;
  readonly basePath: string;
}

/** A configuration that was found, and what core says about it. */
export interface Found {
  readonly binding: string;
  /** The configuration as the application wrote it. */
  readonly given: object;
  readonly inspection: Inspection;
  /** The environment of the application. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Loads `explain` of the copy of core that the application uses. */
  loadExplain(): Promise<ExplainModule>;
}

/**
 * Imports a file, and returns its configuration: the one that a binding announced, else the one that it exports.
 *
 * @throws {Error} if the file has no configuration, or if a function that makes it throws.
 */
export async function configurationOf(file: string, root: string, framework: Framework): Promise<Found> {
  const announced: Announcement[] = [];
  Reflect.set(globalThis, Symbol.for('latchkey.inspect'), (one: Announcement) => announced.push(one));
  const exported = await importerOf(framework, root)(file);
  // A binding knows the base path and the environment, `defineConfig` does not.
  const chosen = announced.find(({ binding }) => binding !== 'core') ?? announced[0] ?? exportedIn(exported, framework);
  if (!chosen) {
    throw new Error(
      `${file} has no configuration. Construct the binding there, for example with ExpressAuth() or NextAuth(), export \`defineConfig({ providers })\`, or name another file with --config`,
    );
  }
  const given = await madeBy(chosen, framework);
  const core = coreOf(chosen.binding, root, framework);
  const { inspectConfig } = (await coreModule(core, 'inspection')) as InspectionModule;
  const env = { ...process.env, ...chosen.env };
  const origin = originOf(env['AUTH_URL'] ?? env['NEXTAUTH_URL'], framework);
  return {
    binding: chosen.binding,
    given,
    env,
    loadExplain: async () => (await coreModule(core, 'explain')) as ExplainModule,
    inspection: inspectConfig(given as never, env, { origin, basePath: chosen.basePath }),
  };
}

function exportedIn(module: Readonly<Record<string, unknown>>, framework: Framework): Announcement | undefined {
  const names = ['authConfig', 'config', 'authOptions', 'default', ...Object.keys(module)];
  const config = names.map((name) => module[name]).find((one) => isConfig(one));
  return config === undefined
    ? undefined
    : { binding: 'core', config, env: undefined, basePath: factsOf(framework).basePath };
}

function isConfig(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'providers' in value;
}

async function madeBy({ binding, config }: Announcement, framework: Framework): Promise<object> {
  const sample = (): unknown => sampleRequest(binding, new URL(developmentOrigin(framework)));
  const made: unknown = typeof config === 'function' ? await config(sample()) : config;
  if (typeof made === 'object' && made !== null) return made;
  throw new Error(`the configuration is ${made === null ? 'null' : `of type ${typeof made}`}. It must be an object`);
}

/**
 * Returns the copy of core that the application uses. Its configuration has symbols of that copy. With pnpm, a package
 * finds only its own dependencies: the application finds `@latchkey/nuxt`, which finds `@latchkey/h3`.
 */
function coreOf(binding: string, root: string, framework: Framework): Installed | undefined {
  const { binding: ofFramework } = factsOf(framework);
  const outer = ofFramework === undefined ? undefined : installedFrom(root, ofFramework)?.folder;
  const find = (name: string): Installed | undefined =>
    installedFrom(root, name) ?? (outer === undefined ? undefined : installedFrom(outer, name));
  const own = binding === 'core' ? undefined : find(`@latchkey/${binding}`);
  return (own && installedFrom(own.folder, CORE)) ?? find(CORE);
}

const CORE = '@latchkey/core';

/** Loads a module of a copy of core. Default: that of this package. */
async function coreModule(core: Installed | undefined, name: 'inspection' | 'explain'): Promise<unknown> {
  if (core) return import(pathToFileURL(join(core.folder, `dist/${name}.js`)).href);
  return name === 'explain' ? import('@latchkey/core/explain') : import('@latchkey/core/inspection');
}

function originOf(url: string | undefined, framework: Framework): string {
  const parsed = url === undefined ? null : URL.parse(url);
  return parsed && /^https?:$/.test(parsed.protocol) ? parsed.origin : developmentOrigin(framework);
}
