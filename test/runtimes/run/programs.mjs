import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../scripts/setup.mjs';
import { workerdConfig } from './workerd.mjs';

/**
 * A runtime with one of the two engines.
 *
 * @typedef {object} Program
 * @property {string} name
 * @property {'node' | 'web'} engine
 * @property {string | undefined} command Absolute path; `undefined` when it is not on this machine.
 * @property {(folder: string, task: string) => string[]} args
 */

const modules = join(root, 'test/runtimes/node_modules');
/** Linux has both processors; of the others one. */
const platform = `${process.platform}-${process.arch}`;

/** @type {Record<string, Record<string, string>>} */
const binaries = {
  node22: { 'linux-x64': 'node-22-linux-x64/bin/node', 'linux-arm64': 'node-22-linux-arm64/bin/node' },
  node26: { 'linux-x64': 'node-26-linux-x64/bin/node', 'linux-arm64': 'node-26-linux-arm64/bin/node' },
  bun: {
    'linux-x64': '@oven/bun-linux-x64/bin/bun',
    'linux-arm64': '@oven/bun-linux-aarch64/bin/bun',
    'darwin-arm64': '@oven/bun-darwin-aarch64/bin/bun',
  },
  deno: {
    'linux-x64': '@deno/linux-x64-glibc/deno',
    'linux-arm64': '@deno/linux-arm64-glibc/deno',
    'darwin-arm64': '@deno/darwin-arm64/deno',
  },
  workerd: {
    'linux-x64': '@cloudflare/workerd-linux-64/bin/workerd',
    'linux-arm64': '@cloudflare/workerd-linux-arm64/bin/workerd',
    'darwin-arm64': '@cloudflare/workerd-darwin-arm64/bin/workerd',
  },
};

/** @type {(folder: string, task: string) => string[]} */
const script = (folder, task) => [join(folder, 'process.js'), task];
/** @type {(folder: string, task: string) => string[]} */
// No more than it needs: our files, the environment, and a port of its own for Express.
const deno = (folder, task) => [
  ...['run', '--no-check', '--no-remote', '--no-prompt'],
  ...[`--allow-read=${folder}`, '--allow-env', '--allow-net=127.0.0.1'],
  ...script(folder, task),
];
/** @type {(worker: string, flags?: string[]) => Program['args']} */
const workerd = (worker, flags) => (folder, task) => ['test', workerdConfig(folder, task, worker, flags)];

/**
 * Every runtime with every engine that it has.
 *
 * @param {string} node24 The path of the project's Node.js.
 * @returns {Program[]}
 */
export function programs(node24) {
  const processes = [
    { name: 'node', command: brought('node22'), args: script },
    { name: 'node', command: node24, args: script },
    { name: 'node', command: brought('node26'), args: script },
    { name: 'bun', command: brought('bun'), args: script },
    { name: 'deno', command: brought('deno'), args: deno },
  ];
  const worker = { command: brought('workerd'), name: 'workerd' };
  const compat = 'nodejs_compat';
  return [
    ...processes.flatMap((program) => [
      { ...program, engine: /** @type {const} */ ('node') },
      { ...program, engine: /** @type {const} */ ('web') },
    ]),
    { ...worker, engine: 'web', args: workerd('worker') },
    { ...worker, engine: 'web', name: `workerd ${compat}`, args: workerd('worker-compat', [compat]) },
    { ...worker, engine: 'node', name: `workerd ${compat}`, args: workerd('worker-compat', [compat]) },
  ];
}

/** @param {string} runtime */
function brought(runtime) {
  const path = join(modules, binaries[runtime]?.[platform] ?? '-');
  return existsSync(path) ? path : undefined;
}
