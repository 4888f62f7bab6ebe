import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { docsUrl } from '../checks/finding.ts';
import { appendTo, checkTarget, create, readIfPresent } from '../files.ts';
import { checkUntracked, ignore, isIgnored } from '../ignored.ts';
import { developmentOrigin, type Framework, factsOf, frameworks } from '../load/frameworks.ts';
import { installedFrom, type Manifest, type Project, projectIn } from '../load/project.ts';
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
  if (framework === 'nuxt') {
    throw new Failure(`\`init\` has no files for Nuxt. Follow the guide: ${docsUrl('frameworks/nuxt.md')}`);
  }
  const store = storeNamed(options.store);
  const envFile = framework === 'next' ? '.env.local' : '.env';
  const files = [...filesFor(project, framework, store), envExample(framework, store)];
  refuseExisting(cwd, files);
  checkTarget(cwd, join(cwd, envFile));
  const lines = linesToAdd(parseEnv(readIfPresent(join(cwd, envFile)) ?? ''), framework);
  if (lines.some(([name]) => name === 'AUTH_SECRET')) checkUntracked(cwd, envFile);
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
  const { dependencies } = project.manifest;
  const isMissing = (name: string) => !Object.hasOwn(dependencies, name);
  const packages = packagesFor(framework, store).filter(isMissing);
  const types = isTyped ? typesFor(framework, store, project.manifest).filter(isMissing) : [];
  for (const line of nextSteps(project, framework, envFile, installCommands(packages, types)))
    print(isTyped ? line : line.replaceAll(/\.ts(x?)(?=[':]|$)/g, '.js$1'));
  return options.install ? install(installCommands(packages, types), terminal) : 0;
}

/** Lists the variables that the env file lacks, or has without a value. A later line takes precedence. */
function linesToAdd(present: NodeJS.Dict<string>, framework: Framework): [name: string, value: string][] {
  const lines: [string, string][] = [['AUTH_SECRET', `"${newSecret()}"`]];
  if (!factsOf(framework).setsMode) lines.push(['NODE_ENV', 'development']);
  return lines.filter(([name]) => !present[name]);
}

function frameworkNamed(name: string): Framework {
  const found = frameworks.find((one) => one === name);
  if (found) return found;
  const offered = frameworks.filter((one) => one !== 'nuxt').join(', ');
  throw new Failure(`the framework must be one of ${offered}: ${JSON.stringify(name)}`);
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
${factsOf(framework).setsMode ? '' : '# On servers: production\nNODE_ENV=development\n'}${store === undefined ? '' : VARIABLES[store]}`,
  };
}

/** The URL below which the actions are. */
function baseUrl(framework: Framework): string {
  return developmentOrigin(framework) + factsOf(framework).basePath;
}

function callbackUrl(framework: Framework): string {
  return `${baseUrl(framework)}/callback/github`;
}

/** Lines that a developer adds to a file. */
interface Addition {
  readonly to: string;
  readonly lines: readonly string[];
}

const toServer = (...lines: string[]): Addition[] => [{ to: 'your server', lines }];

/** The lines for files of the application, which `init` does not edit. */
const ADDITIONS: Partial<Record<Framework, readonly Addition[]>> = {
  express: toServer("import { authHandler } from './auth.ts';", "app.use('/auth', authHandler);"),
  hono: toServer("import { handler } from './auth.ts';", 'app.use(handler);'),
  h3: toServer("import { handler } from './auth.ts';", 'app.use(handler);'),
  fastify: toServer("import { plugin } from './auth.ts';", 'await app.register(plugin);'),
  node: toServer(
    "import { answerAuth } from './auth.ts';",
    'createServer(async (request, response) => {',
    '  if (await answerAuth(request, response)) return;',
    '  // …',
    '});',
  ),
  'react-router': [
    {
      to: 'app/root.tsx',
      lines: ["import { sessionMiddleware } from './auth.server';", 'export const middleware = [sessionMiddleware];'],
    },
    { to: 'the list in app/routes.ts', lines: ["route('auth/*', 'routes/auth.$.ts'),"] },
  ],
};

function* additionsOf({ root, manifest }: Project, framework: Framework): Iterable<Addition> {
  yield* ADDITIONS[framework] ?? [];
  const major = Number.parseInt(installedFrom(root, 'react-router')?.version ?? '99', 10);
  if (framework === 'react-router' && major < 8) {
    yield { to: 'the object in react-router.config.ts', lines: ['future: { v8_middleware: true },'] };
  }
  if (framework === 'nitro' && Object.hasOwn(manifest.dependencies, 'nitropack')) {
    yield { to: 'the object in nitro.config.ts, if it is not there', lines: ["srcDir: 'server',"] };
  }
}

/** How to start the application with the variables of the env file. */
function startOf(framework: Framework, envFile: string): string | undefined {
  if (factsOf(framework).envFiles !== 'scripts') return undefined;
  return `node --env-file=${envFile} ${framework === 'astro' ? 'node_modules/astro/bin/astro.mjs dev' : '<file>'}`;
}

function* nextSteps(
  project: Project,
  framework: Framework,
  envFile: string,
  installs: readonly string[][],
): Iterable<string> {
  for (const { to, lines } of additionsOf(project, framework)) {
    yield `Add ${lines.length === 1 ? 'this line' : 'these lines'} to ${to}:`;
    for (const line of lines) yield `  ${line}`;
  }
  if (framework === 'astro' && !hasAstroAdapter(project.manifest)) yield 'Add an adapter of Astro: npx astro add node';
  const start = startOf(framework, envFile);
  if (start !== undefined) yield `Start it with: ${start}`;
  for (const args of installs) yield `Install: npm ${args.join(' ')}`;
  yield `Register ${callbackUrl(framework)} at https://github.com/settings/developers,`;
  yield `and add AUTH_GITHUB_ID and AUTH_GITHUB_SECRET to ${envFile}.`;
  yield `Then open ${baseUrl(framework)}/signin. If it fails: npx @latchkey/cli doctor`;
}

const DRIVERS: Readonly<Record<StoreName, readonly string[]>> = {
  sqlite: ['@latchkey/adapter-sql'],
  postgres: ['@latchkey/adapter-sql', 'pg'],
  mysql: ['@latchkey/adapter-sql', 'mysql2'],
  redis: ['@latchkey/adapter-redis', 'redis'],
};

/** Astro renders pages on a server only with an adapter. */
function hasAstroAdapter({ dependencies }: Manifest): boolean {
  return Object.keys(dependencies).some((name) => /^@astrojs\/(?:node|vercel|netlify|cloudflare)$/.test(name));
}

/** The templates of these import `@latchkey/core` themselves. */
const IMPORTS_CORE: readonly Framework[] = ['express', 'node'];

function packagesFor(framework: Framework, store: StoreName | undefined): readonly string[] {
  const { binding } = factsOf(framework);
  const core = IMPORTS_CORE.includes(framework) ? ['@latchkey/core'] : [];
  const server = framework === 'hono' ? ['@hono/node-server'] : [];
  return [
    ...core,
    ...(binding === undefined ? [] : [binding]),
    ...server,
    ...(store === undefined ? [] : DRIVERS[store]),
  ];
}

/** Returns the first number of a range, such as 20 for `^20.1.0`, and NaN for one without a number. */
function majorOf(range = ''): number {
  return Number.parseInt(range.replace(/^\D+/, ''), 10);
}

/** The declarations that the compiler needs for the files. Those of `node:sqlite` are in `@types/node` since 22. */
function typesFor(framework: Framework, store: StoreName | undefined, { dependencies }: Manifest): readonly string[] {
  const isTooOld = store === 'sqlite' && majorOf(dependencies['@types/node']) < 22;
  const needed = [isTooOld ? '@types/node@22' : '@types/node'];
  if (store === 'postgres') needed.push('@types/pg');
  if (framework === 'express') needed.push('@types/express');
  return needed;
}

/** The arguments of npm, for packages that `package.json` lacks. */
function installCommands(packages: readonly string[], types: readonly string[]): string[][] {
  const commands: string[][] = [];
  if (packages.length > 0) commands.push(['install', ...packages]);
  if (types.length > 0) commands.push(['install', '--save-dev', ...types]);
  return commands;
}

function install(commands: readonly string[][], { cwd }: Terminal): 0 | 1 {
  for (const args of commands) {
    // On Windows, `npm` is a script. The names are those above, so a shell cannot misread them.
    const { status } = spawnSync('npm', args, { cwd, stdio: 'inherit', shell: process.platform === 'win32' });
    if (status !== 0) throw new Failure('npm could not install the packages. Its output says why', 1);
  }
  return 0;
}
