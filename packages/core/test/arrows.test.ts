import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import {
  type Arrows,
  cycles,
  type Doors,
  forbiddenArrows,
  forbiddenPackages,
  missingFiles,
  sideEntrances,
  type Tree,
} from './arrows/rules.ts';

/** What everybody may import. */
const base = ['types', 'context', 'errors', 'symbols', 'adapters', 'chain'];

/**
 * Which room of `src` may import which. A room is a folder or, without `.ts`, a file at the top of `src`;
 * `type x` is for `import type` only. Each may import itself.
 */
const arrows: Arrows = {
  actions: ['config', 'guards', 'identity', 'rate-limit', 'session', 'views', 'wire', 'type providers', ...base],
  config: ['wire', 'type providers', 'type jwt', 'type rate-limit-types', ...base],
  entry: ['config', 'wire', 'type providers', ...base],
  guards: ['config', 'entry', 'wire', 'crypto', ...base],
  identity: ['config', 'wire', 'crypto', 'type providers', ...base],
  'rate-limit': ['config', 'crypto', 'type providers', 'type rate-limit-types', ...base],
  session: ['config', 'wire', 'crypto', 'type jwt', ...base],
  views: ['type types', 'type errors', 'type providers'],
  wire: ['crypto', ...base],
  crypto: ['chain', 'type types', 'type errors'],
  // The pages' colour reader and template tag: there is to be one of each.
  mail: ['views', 'wire', 'errors', 'type types'],
  providers: ['types', 'errors', 'symbols', 'mail', 'icons', 'type adapters'],
  icons: [],
  binding: ['auth', 'config', 'entry', 'wire', ...base],
  // For browsers.
  client: ['type types'],

  // Files at the top of `src`.
  index: ['auth', 'config', 'entry', ...base],
  auth: ['actions', 'config', 'entry', 'guards', 'wire', ...base],
  jwt: ['crypto', 'wire', ...base],
  types: [
    'type session-types',
    'type rate-limit-types',
    'type adapters',
    'type errors',
    'type jwt',
    'type providers',
    'type symbols',
    'type webauthn-types',
  ],
  'rate-limit-types': ['type types'],
  'session-types': ['type types', 'type adapters'],
  'webauthn-types': [],
  adapters: ['type types'],
  chain: ['type types'],
  context: ['type types', 'type config', 'type wire'],
  errors: [],
  symbols: [],
};

/** Where each dependency comes in, types included. */
const doors: Doors = {
  cookie: 'wire/cookie.ts',
  oauth4webapi: 'identity/oauth',
  nodemailer: 'providers/nodemailer.ts',
  '@simplewebauthn/server': 'providers/webauthn.ts',
};

const packages = fileURLToPath(new URL('../..', import.meta.url));
const core = read(join(packages, 'core/src'));
const { exports, ...manifest } = JSON.parse(readFileSync(join(packages, 'core/package.json'), 'utf8'));

describe('core/src', () => {
  it('follows the arrows of the design', () => expect(forbiddenArrows(core, arrows)).toEqual([]));
  it('has no import cycle', () => expect(cycles(core)).toEqual([]));
  it('imports files that exist', () => expect(missingFiles(core)).toEqual([]));
  it('lets each dependency in through one door', () => expect(forbiddenPackages(core, doors)).toEqual([]));
  it('declares the dependencies that have a door', () => {
    // `cookie` is no dependency: its code comes along (decisions/27).
    const declared = { cookie: '', ...manifest.dependencies, ...manifest.peerDependencies };
    expect(Object.keys(doors).sort()).toEqual(Object.keys(declared).sort());
  });
});

describe('the other packages and the examples', () => {
  const others = readdirSync(packages).map((name) => `packages/${name}`);
  // The examples share a folder, so they are one tree.
  const folders = [...others, 'examples'].filter((folder) => folder !== 'packages/core');

  it.each(folders)('%s imports core through its exports', (folder) => {
    const tree = read(join(packages, '..', folder));
    expect(sideEntrances(tree, manifest.name, Object.keys(exports))).toEqual([]);
  });
});

function read(folder: string): Tree {
  const files = globSync('**/*.ts', {
    cwd: folder,
    exclude: (name) => /^(node_modules|dist|build|\.next|\.svelte-kit)$/.test(name),
  });
  return Object.fromEntries(files.sort().map((file) => [file, readFileSync(join(folder, file), 'utf8')]));
}
