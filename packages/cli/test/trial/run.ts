import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { packAll } from '../../../../scripts/packages.mjs';
import { exitWith, Problem } from '../../../../scripts/run.mjs';
import { addClient, execute, signIn, start } from '../fixtures/running.ts';
import { type Application, applications } from './applications.ts';
import { startRegistry } from './registry.ts';

// `npm run test:init -- next-16 express`: the stopwatch trial. For each framework it makes an application outside of
// this repository, and installs the framework. Then the clock runs: `npx @latchkey/cli init --store sqlite --install`,
// with the packed packages, until the first session. Afterwards the application is type-checked and built.

/** Seconds from `init` to the first session. */
const LIMIT = 60;
const TSC = 'node_modules/typescript/bin/tsc';
/** Other than that of the clock. */
const STORES = ['postgres', 'mysql', 'redis'];

await exitWith(async () => {
  const asked = process.argv.slice(2);
  const names = asked.length > 0 ? asked : Object.keys(applications);
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-trial-'));
  const registry = await startRegistry(packAll(folder));
  let failed = 0;
  try {
    for (const name of names) {
      const application = applications[name];
      if (!application) throw new Problem(`there is no application ${name}: ${Object.keys(applications).join(', ')}`);
      try {
        const times = await trial(join(folder, name), application, registry.url);
        const seconds = times.init + times.start + times.signIn;
        const [load = 0] = loadavg();
        const parts = Object.entries(times).map(([part, time]) => `${part} ${time.toFixed(1)}`);
        const words = `${seconds.toFixed(1)} s until the first session (${parts.join(', ')}), built and checked`;
        console.log(`${name.padEnd(14)} ${words}, load ${load.toFixed(1)}`);
        // Seconds say nothing while other programs have the processors.
        if (seconds > LIMIT && load < 2 * availableParallelism()) throw new Error(`more than ${LIMIT} s`);
      } catch (error) {
        failed += 1;
        console.error(`${name.padEnd(14)} failed:`, error);
      }
    }
  } finally {
    registry.close();
    rmSync(folder, { recursive: true, force: true });
  }
  console.log(`latchkey: ${names.length - failed} applications passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
});

/** Seconds of the parts of a trial. */
interface Times {
  /** `npx` with the command line itself, the files, and `npm install` of the packages that they need. */
  readonly init: number;
  /** Until the development server prints its address. */
  readonly start: number;
  /** Pages and redirects, which the development server compiles on demand. */
  readonly signIn: number;
}

async function trial(folder: string, application: Application, registry: string): Promise<Times> {
  const { manifest, files, edits = {}, build, isTypeChecked, serve, basePath, envFile } = application;
  const all = {
    ...files,
    'package.json': JSON.stringify({ name: 'shop', private: true, type: 'module', ...manifest }, undefined, 2),
    '.npmrc': `@latchkey:registry=${registry}\naudit=false\nfund=false\n`,
  };
  write(folder, all);
  await npm(folder, 'install', '--prefer-offline');
  const begin = performance.now();
  const printed = await npx(folder, 'init', '--store', 'sqlite', '--install');
  const installed = performance.now();
  addLines(folder, files['server.ts'], printed);
  write(folder, edits);
  addClient(folder, envFile);
  const running = await start(folder, ...serve);
  const started = performance.now();
  const session = await signIn(running, basePath).finally(() => running.stop());
  const ended = performance.now();
  if ((session as { user?: { name?: string } } | null)?.user?.name !== 'Ada') {
    throw new Error(`no session: ${JSON.stringify(session)}\n${running.log()}`);
  }
  await npx(folder, 'doctor', '--env-file', envFile, '--strict');
  if (build) await execute(folder, ...build);
  else await typeCheckStores(folder);
  if (isTypeChecked) await execute(folder, TSC);
  return { init: (installed - begin) / 1000, start: (started - installed) / 1000, signIn: (ended - started) / 1000 };
}

/** The files with each store must be valid TypeScript, with the packages that `init` installs. */
async function typeCheckStores(folder: string): Promise<void> {
  await execute(folder, TSC);
  for (const store of STORES) {
    rmSync(join(folder, 'auth.ts'));
    rmSync(join(folder, 'store.ts'));
    rmSync(join(folder, '.env.example'));
    await npx(folder, 'init', '--store', store, '--install');
    await execute(folder, TSC);
  }
}

/** Adds the indented lines that `init` prints to the server, as a developer does. */
function addLines(folder: string, server: string | undefined, printed: string): void {
  if (server === undefined) return;
  const [first = '', ...others] = printed.split('\n').flatMap((line) => (line.startsWith('  ') ? [line.slice(2)] : []));
  const lines = others.join('\n').replace('// …', 'response.writeHead(404).end();');
  write(folder, { 'server.ts': server.replace('IMPORT', first).replace('LINES', lines) });
}

function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

function npm(folder: string, ...args: string[]): Promise<string> {
  return program(folder, 'npm', args);
}

function npx(folder: string, ...args: string[]): Promise<string> {
  return program(folder, 'npx', ['--yes', '@latchkey/cli', ...args]);
}

/** Runs a program to its end, at most five minutes. The registry answers meanwhile. */
async function program(folder: string, name: string, args: readonly string[]): Promise<string> {
  const PATH = `${dirname(process.execPath)}:${process.env['PATH']}`;
  const env = {
    ...process.env,
    PATH,
    npm_config_prefer_offline: 'true',
    npm_config_cache: join(dirname(folder), 'npm'),
  };
  const { stdout } = await promisify(execFile)(name, args, { cwd: folder, env, timeout: 300_000 });
  return stdout;
}
