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

/** Rooms and files that every room may import. */
const base = ['types', 'context', 'errors', 'symbols', 'plain-object', 'bounded-map', 'lazy', 'log'];

/**
 * Which room of `src` may import which. A room is a folder or, without `.ts`, a file at the top of `src`;
 * `type x` is for `import type` only. Each room may import itself.
 */
const arrows: Arrows = {
  account: [
    'tokens',
    'config',
    'crypto',
    'entry',
    'guards',
    'identity',
    'mail',
    'pending',
    'rate-limit',
    'session',
    'store',
    'wire',
    'type providers',
    ...base,
  ],
  actions: [
    ...[
      'account',
      'config',
      'entry',
      'explain',
      'guards',
      'identity',
      'linking',
      'pending',
      'rate-limit',
      'session',
      'tokens',
      'views',
      'wire',
      'crypto',
    ],
    'type messages',
    'type providers',
    ...base,
  ],
  config: ['messages', 'store', 'views', 'wire', 'inspect', 'type jwt', 'type providers', ...base],
  entry: ['config', 'wire', 'type actions', 'type providers', ...base],
  explain: ['actions', 'config', 'crypto', 'entry', 'guards', 'identity', 'session', 'store', 'wire', ...base],
  guards: ['config', 'entry', 'wire', 'crypto', ...base],
  identity: ['config', 'entry', 'pending', 'store', 'wire', 'crypto', 'type providers', ...base],
  linking: [
    'account',
    'config',
    'guards',
    'identity',
    'pending',
    'rate-limit',
    'session',
    'store',
    'tokens',
    'type providers',
    ...base,
  ],
  pending: ['config', 'crypto', 'wire', ...base],
  'rate-limit': ['config', 'crypto', 'type providers', ...base],
  session: ['config', 'crypto', 'entry', 'rate-limit', 'store', 'wire', 'type identity', ...base],
  store: base,
  tokens: ['config', 'identity', 'session', 'store', 'wire', 'crypto', 'type providers', ...base],
  log: ['errors', 'type types'],
  messages: [],
  views: ['type messages', 'type types', 'type errors', 'type providers'],
  wire: ['crypto', ...base],
  crypto: ['bounded-map', 'plain-object', 'lazy', 'type types', 'type errors'],
  // Pages and mails share the theme and the `html` tag.
  mail: ['messages', 'views', 'wire', 'errors', 'type types'],
  providers: ['types', 'errors', 'symbols', 'mail', 'marks'],
  marks: ['type types'],
  binding: ['actions', 'auth', 'config', 'entry', 'identity', 'inspect', 'tokens', 'wire', ...base],
  // For browsers.
  client: ['type types'],
  types: ['type actions', 'type log', 'type messages', 'type providers', 'type symbols'],

  // Files at the top of `src`.
  index: ['actions', 'auth', 'config', 'entry', 'identity', ...base],
  auth: ['actions', 'config', 'entry', 'guards', 'wire', ...base],
  jwt: ['crypto', 'wire', ...base],
  sessions: ['config', 'session', ...base],

  // Bindings announce a configuration. A tool reads it with the functions of the inspection.
  inspect: ['type config'],
  inspection: ['config', 'store', 'wire', ...base],
  adapters: ['store', 'types'],
  context: ['type config', 'type types', 'type wire'],
  lazy: ['type types'],
  'bounded-map': [],
  'plain-object': [],
  errors: ['type types'],
  symbols: [],
};

/** Files that may be in an import cycle, with the reason. At most four. */
const allowedCycles: Readonly<Record<string, string>> = {
  'errors.ts': 'The union of types derives from the classes that the file exports.',
};

function isAllowed(cycle: string): boolean {
  return cycle.split(' → ').every((file) => file in allowedCycles);
}

/** Where each dependency comes in, types included. */
const doors: Doors = {
  cookie: 'wire/cookie.ts',
  oauth4webapi: 'identity/oauth',
  nodemailer: 'providers/nodemailer.ts',
  // Only the build needs it: the marks are part of the published files.
  'simple-icons': 'providers',
  '@simplewebauthn/server': 'providers/webauthn.ts',
};

const packages = fileURLToPath(new URL('../..', import.meta.url));
const core = read(join(packages, 'core/src'));
const { exports, ...manifest } = JSON.parse(readFileSync(join(packages, 'core/package.json'), 'utf8'));

describe('core/src', () => {
  it('follows the arrows of the design', () => expect(forbiddenArrows(core, arrows)).toEqual([]));
  it('has no import cycle', () => {
    expect(cycles(core).filter((cycle) => !isAllowed(cycle))).toEqual([]);
  });
  it('imports files that exist', () => expect(missingFiles(core)).toEqual([]));
  it('lets each dependency in through one door', () => expect(forbiddenPackages(core, doors)).toEqual([]));
  it('declares the dependencies that have a door', () => {
    // The build copies these into the published files (decisions/27), so they are not dependencies.
    const declared = { cookie: '', 'simple-icons': '', ...manifest.dependencies, ...manifest.peerDependencies };
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
