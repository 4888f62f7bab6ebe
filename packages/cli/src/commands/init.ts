import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { appendTo, checkTarget, create, readIfPresent } from '../files.ts';
import { ignore, isIgnored } from '../ignored.ts';
import { type Framework, frameworks, type Manifest, projectIn } from '../load/project.ts';
import { Failure, type Terminal } from '../terminal.ts';
import { filesFor, type NewFile, type StoreName, stores } from './init-files.ts';
import { newSecret } from './secret.ts';

/** Options of {@link init}. */
export interface InitOptions {
  readonly store?: string | undefined;
  readonly install?: boolean | undefined;
  readonly dryRun?: boolean | undefined;
}

/**
 * Writes the files of a first sign-in. All targets are tested first: one existing file stops the command before it
 * writes anything.
 */
export function init(given: string | undefined, options: InitOptions, terminal: Terminal): 0 | 1 {
  const { cwd, print } = terminal;
  const project = projectIn(cwd);
  const framework = frameworkNamed(given ?? project.framework);
  const store = storeNamed(options.store);
  const envFile = framework === 'next' ? '.env.local' : '.env';
  const files = [...filesFor(project, framework, store), envExample(framework, store)];
  refuseExisting(cwd, files);
  checkTarget(cwd, join(cwd, envFile));
  const lines = linesToAdd(parseEnv(readIfPresent(join(cwd, envFile)) ?? ''), framework);
  if (options.dryRun) {
    for (const { path } of files) print(`would write ${path}`);
    for (const [name] of lines) print(`would add ${name} to ${envFile}`);
    if (!isIgnored(cwd, envFile)) print(`would add ${envFile} to .gitignore`);
    return 0;
  }
  // First, so that git never sees the secret.
  if (!isIgnored(cwd, envFile)) {
    ignore(cwd, envFile);
    print(`added ${envFile} to .gitignore`);
  }
  for (const { path, text } of files) {
    create(join(cwd, path), text, 0o644);
    print(`wrote ${path}`);
  }
  for (const [name, value] of lines) {
    appendTo(join(cwd, envFile), `${name}=${value}\n`);
    print(`added ${name} to ${envFile}`);
  }
  const isTyped = files.some(({ path }) => path.endsWith('.ts'));
  const packages = packagesFor(framework, store);
  const types = isTyped ? typesFor(framework, store, project.manifest) : [];
  for (const line of nextSteps(framework, envFile, installCommands(packages, types)))
    print(isTyped ? line : line.replace("/auth.ts'", "/auth.js'"));
  return options.install ? install(installCommands(packages, types), terminal) : 0;
}

/** Lists the variables that the env file lacks. Next.js and SvelteKit set NODE_ENV themselves. */
function linesToAdd(present: NodeJS.Dict<string>, framework: Framework): [name: string, value: string][] {
  const lines: [string, string][] = [['AUTH_SECRET', `"${newSecret()}"`]];
  if (!setsMode(framework)) lines.push(['NODE_ENV', 'development']);
  return lines.filter(([name]) => present[name] === undefined);
}

function setsMode(framework: Framework): boolean {
  return framework === 'next' || framework === 'sveltekit';
}

function frameworkNamed(name: string): Framework {
  const found = frameworks.find((one) => one === name);
  if (found) return found;
  throw new Failure(`the framework must be one of ${frameworks.join(', ')}: ${JSON.stringify(name)}`);
}

function storeNamed(name: string | undefined): StoreName | undefined {
  const found = stores.find((one) => one === name);
  if (found || name === undefined) return found;
  throw new Failure(`--store must be one of ${stores.join(', ')}: ${JSON.stringify(name)}`);
}

function refuseExisting(root: string, files: readonly NewFile[]): void {
  for (const { path } of files) checkTarget(root, join(root, path));
  const existing = files.filter(({ path }) => existsSync(join(root, path))).map(({ path }) => path);
  if (existing.length === 0) return;
  throw new Failure(
    `nothing was written, because ${existing.join(', ')} ${existing.length === 1 ? 'exists' : 'exist'} already. Move ${existing.length === 1 ? 'it' : 'them'} away, or copy the lines from the documentation`,
    1,
  );
}

const VARIABLES: Readonly<Record<StoreName, string>> = {
  sqlite: '# The file of the database. Default: auth.db\n#DATABASE_PATH=\n',
  postgres: 'DATABASE_URL=\n',
  mysql: 'DATABASE_URL=\n',
  redis: 'REDIS_URL=\n',
};

function envExample(framework: Framework, store: StoreName | undefined): NewFile {
  return {
    path: '.env.example',
    text: `# Encrypts sessions. Make one: npx @latchkey/cli secret
AUTH_SECRET=
# From https://github.com/settings/developers. Callback URL there: ${callbackUrl(framework)}
AUTH_GITHUB_ID=
AUTH_GITHUB_SECRET=
# In production, the URL of the site
#AUTH_URL=
${setsMode(framework) ? '' : '# On servers: production\nNODE_ENV=development\n'}${store === undefined ? '' : VARIABLES[store]}`,
  };
}

function siteOf(framework: Framework): string {
  return framework === 'sveltekit' ? 'http://localhost:5173' : 'http://localhost:3000';
}

function basePathOf(framework: Framework): string {
  return framework === 'next' ? '/api/auth' : '/auth';
}

function callbackUrl(framework: Framework): string {
  return `${siteOf(framework)}${basePathOf(framework)}/callback/github`;
}

/** The lines for the server of frameworks without a fixed place for the handler. */
const SERVER: Partial<Record<Framework, readonly string[]>> = {
  express: ["import { authHandler } from './auth.ts';", "app.use('/auth', authHandler);"],
  hono: ["import { handler } from './auth.ts';", 'app.use(handler);'],
  node: [
    "import { answerAuth } from './auth.ts';",
    'createServer(async (request, response) => {',
    '  if (await answerAuth(request, response)) return;',
    '  // …',
    '});',
  ],
};

function* nextSteps(framework: Framework, envFile: string, installs: readonly string[][]): Iterable<string> {
  const lines = SERVER[framework];
  if (lines) {
    yield 'Add these lines to your server:';
    for (const line of lines) yield `  ${line}`;
    yield `Start it with: node --env-file=${envFile} <file>`;
  }
  for (const args of installs) yield `Install: npm ${args.join(' ')}`;
  yield `Register ${callbackUrl(framework)} at https://github.com/settings/developers,`;
  yield `and add AUTH_GITHUB_ID and AUTH_GITHUB_SECRET to ${envFile}.`;
  yield `Then open ${siteOf(framework)}${basePathOf(framework)}/signin. If it fails: npx @latchkey/cli doctor`;
}

const DRIVERS: Readonly<Record<StoreName, readonly string[]>> = {
  sqlite: ['@latchkey/adapter-sql'],
  postgres: ['@latchkey/adapter-sql', 'pg'],
  mysql: ['@latchkey/adapter-sql', 'mysql2'],
  redis: ['@latchkey/adapter-redis', 'redis'],
};

function packagesFor(framework: Framework, store: StoreName | undefined): readonly string[] {
  const own = framework === 'node' ? [] : [`@latchkey/${framework}`];
  const server = framework === 'hono' ? ['@hono/node-server'] : [];
  const core = setsMode(framework) ? [] : ['@latchkey/core'];
  return [...core, ...own, ...server, ...(store === undefined ? [] : DRIVERS[store])];
}

/** The declarations that the compiler needs for the files, and that a new application lacks. */
function typesFor(framework: Framework, store: StoreName | undefined, { dependencies }: Manifest): readonly string[] {
  const needed = ['@types/node'];
  if (store === 'postgres') needed.push('@types/pg');
  if (framework === 'express') needed.push('@types/express');
  return needed.filter((name) => !Object.hasOwn(dependencies, name));
}

/** The arguments of npm. */
function installCommands(packages: readonly string[], types: readonly string[]): string[][] {
  const own = ['install', ...packages];
  return types.length === 0 ? [own] : [own, ['install', '--save-dev', ...types]];
}

function install(commands: readonly string[][], { cwd }: Terminal): 0 | 1 {
  for (const args of commands) {
    // On Windows, `npm` is a script. The names are those above, so a shell cannot misread them.
    const { status } = spawnSync('npm', args, { cwd, stdio: 'inherit', shell: process.platform === 'win32' });
    if (status !== 0) throw new Failure('npm could not install the packages. Its output says why', 1);
  }
  return 0;
}
