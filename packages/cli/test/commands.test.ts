import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { encode } from '@latchkey/core/jwt';
import { afterEach, describe, expect, it } from 'vitest';
import { doctor, healthyEnv, latchkey, type ProjectFiles, SECRET, writeProject } from './fixtures/project.ts';

const projects: { remove(): void }[] = [];
afterEach(() => {
  for (const project of projects.splice(0)) project.remove();
});

function projectWith(files: ProjectFiles['files'] = {}, manifest?: object): string {
  const project = writeProject({ files, manifest });
  projects.push(project);
  return project.root;
}

describe('latchkey secret', () => {
  it('prints a new secret of 264 bits', async () => {
    const root = projectWith();
    const [one, other] = [await latchkey(root, ['secret']), await latchkey(root, ['secret'])];
    expect([one.code, Buffer.from(one.out, 'base64').length]).toEqual([0, 33]);
    expect(one.out).not.toBe(other.out);
  });

  it('adds a secret to a file, which only the owner may read, and does not print it', async () => {
    const root = projectWith();
    const { code, out } = await latchkey(root, ['secret', '--write', '.env']);
    const { AUTH_SECRET = '' } = parseEnv(readFileSync(join(root, '.env'), 'utf8'));
    expect([code, AUTH_SECRET.length, statSync(join(root, '.env')).mode & 0o777]).toEqual([0, 44, 0o600]);
    expect(out).not.toContain(AUTH_SECRET);
  });

  it('adds nothing to a file that git tracks', async () => {
    const root = projectWith({ '.env': 'SHOP=1\n' });
    for (const args of [['init'], ['add', '-f', '.env']]) spawnSync('git', args, { cwd: root });
    const { code, err } = await latchkey(root, ['secret', '--write', '.env']);
    expect([code, err]).toEqual([1, expect.stringContaining('git rm --cached .env')]);
    expect(contentsOf(root)['.env']).toBe('SHOP=1\n');
  });

  it('keeps what the file has, and does not replace a secret', async () => {
    const root = projectWith({ '.env': 'SHOP=1' });
    await latchkey(root, ['secret', '-w', '.env']);
    const text = readFileSync(join(root, '.env'), 'utf8');
    expect(text).toMatch(/^SHOP=1\nAUTH_SECRET="\S{44}"\n$/);
    expect(await latchkey(root, ['secret', '-w', '.env'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('--rotate'),
    });
    expect(readFileSync(join(root, '.env'), 'utf8')).toBe(text);
  });

  it('adds newer secrets up to the third, each with the next name', async () => {
    const root = projectWith({ '.env': 'AUTH_SECRET=x\n' });
    const rotate = () => latchkey(root, ['secret', '-w', '.env', '--rotate']);
    expect([(await rotate()).out, (await rotate()).out, (await rotate()).out]).toEqual(
      [1, 2, 3].map((number) => `Added AUTH_SECRET_${number} to .env.`),
    );
    expect(await rotate()).toMatchObject({ code: 1, err: expect.stringContaining('AUTH_SECRET_3') });
  });

  it('fills a line without a value, as an example file has it', async () => {
    const root = projectWith({ '.env': 'AUTH_SECRET=\n' });
    expect((await latchkey(root, ['secret', '-w', '.env'])).code).toBe(0);
    expect(parseEnv(readFileSync(join(root, '.env'), 'utf8'))['AUTH_SECRET']).toHaveLength(44);
  });

  it.each([
    ['without a file', ['--rotate'], {}],
    ['without a first secret', ['-w', '.env', '--rotate'], { '.env': 'SHOP=1\n' }],
  ])('refuses to rotate %s', async (_, args, files) => {
    expect((await latchkey(projectWith(files), ['secret', ...args])).code).toBe(2);
  });

  it('refuses a symbolic link', async () => {
    const root = projectWith({ target: '' });
    symlinkSync(join(root, 'target'), join(root, '.env'));
    expect(await latchkey(root, ['secret', '-w', '.env'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('symbolic link'),
    });
    expect(readFileSync(join(root, 'target'), 'utf8')).toBe('');
  });
});

describe('latchkey providers', () => {
  it('says how to register, where the callback is, and which variables to set', async () => {
    const { code, out } = await latchkey(projectWith(), ['providers', 'github', '--origin', 'https://shop.example']);
    expect(code).toBe(0);
    expect(out).toContain('https://github.com/settings/developers');
    expect(out).toContain('Callback URL: https://shop.example/auth/callback/github');
    expect(out).toContain('Set AUTH_GITHUB_ID and AUTH_GITHUB_SECRET. Scopes: read:user user:email');
  });

  it('knows the base path of Next.js, and takes another', async () => {
    const root = projectWith({}, { dependencies: { next: '16.0.0' } });
    expect((await latchkey(root, ['providers', 'google'])).out).toContain(
      'http://localhost:3000/api/auth/callback/google',
    );
    expect((await latchkey(root, ['providers', 'google', '--base-path', 'login/'])).out).toContain(
      'http://localhost:3000/login/callback/google',
    );
  });

  it('lists all providers', async () => {
    const { out } = await latchkey(projectWith(), ['providers']);
    expect(out.split('\n').length).toBeGreaterThan(100);
    expect(out).toMatch(/^keycloak\s+Keycloak$/m);
  });

  it('suggests ids that are similar', async () => {
    expect(await latchkey(projectWith(), ['providers', 'gitbub'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('github'),
    });
    expect((await latchkey(projectWith(), ['providers', 'github', '--origin', 'shop'])).code).toBe(2);
  });
});

/** All files of a folder with their contents. */
function contentsOf(root: string): Record<string, string> {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    entries.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [path.slice(root.length + 1), readFileSync(path, 'utf8')];
    }),
  );
}

describe('latchkey init', () => {
  it.each([
    [
      'next',
      ['.env.example', '.env.local', 'app/api/auth/[...nextauth]/route.js', 'auth.js', 'package.json', 'proxy.js'],
    ],
    ['sveltekit', ['.env', '.env.example', 'package.json', 'src/auth.js', 'src/env.js', 'src/hooks.server.js']],
    ['express', ['.env', '.env.example', 'auth.js', 'package.json']],
    ['hono', ['.env', '.env.example', 'auth.js', 'package.json']],
    ['fastify', ['.env', '.env.example', 'auth.js', 'package.json']],
    ['h3', ['.env', '.env.example', 'auth.js', 'package.json']],
    ['nitro', ['.env', '.env.example', 'package.json', 'server/middleware/00.auth.js', 'server/utils/auth.js']],
    ['react-router', ['.env', '.env.example', 'app/auth.server.js', 'app/routes/auth.$.js', 'package.json']],
    [
      'astro',
      ['.env', '.env.example', 'package.json', 'src/auth.js', 'src/middleware.js', 'src/pages/auth/[...auth].js'],
    ],
    ['tanstack-start', ['.env', '.env.example', 'package.json', 'src/auth.server.js', 'src/start.js']],
    ['node', ['.env', '.env.example', 'auth.js', 'package.json']],
  ])('writes the files of %s, and changes no byte when run again', async (framework, files) => {
    const root = projectWith();
    expect((await latchkey(root, ['init', framework, '--dry-run'])).code).toBe(0);
    expect(Object.keys(contentsOf(root))).toEqual(['package.json']);
    const { code, out } = await latchkey(root, ['init', framework]);
    expect(code).toBe(0);
    const written = contentsOf(root);
    expect(Object.keys(written).sort()).toEqual([...files].sort());
    expect(out).toContain('/callback/github');
    for (const text of Object.values(written)) expect(text).not.toContain('//#');
    expect(await latchkey(root, ['init', framework])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/auth\S*\.js/),
    });
    expect(contentsOf(root)).toEqual(written);
  });

  it('finds the framework, and writes TypeScript and `src` as the project has them', async () => {
    const root = projectWith({ 'tsconfig.json': '{}', 'src/app/page.tsx': '' }, { dependencies: { next: '16.0.0' } });
    await latchkey(root, ['init', '--store', 'sqlite']);
    expect(Object.keys(contentsOf(root))).toEqual(
      expect.arrayContaining([
        'src/auth.ts',
        'src/proxy.ts',
        'src/store.ts',
        'src/app/api/auth/[...nextauth]/route.ts',
      ]),
    );
    expect(contentsOf(root)['src/auth.ts']).toContain("import { adapter } from './store';");
  });

  it.each([
    ['react-router', 'app/auth.server.ts', { '@react-router/dev': '8.4.0', express: '5.3.0' }],
    ['astro', 'src/env.d.ts', { astro: '7.3.5' }],
    ['tanstack-start', 'src/start.ts', { '@tanstack/react-start': '1.170.0', nitro: '3.0.0' }],
    ['nitro', 'server/utils/auth.ts', { nitropack: '2.13.6', h3: '1.15.0' }],
    ['fastify', 'auth.ts', { fastify: '5.12.8' }],
    ['h3', 'auth.ts', { h3: '2.0.8' }],
  ])('finds %s, also beside the server on which it runs', async (framework, file, dependencies) => {
    const root = projectWith({ 'tsconfig.json': '{}' }, { dependencies });
    const { out } = await latchkey(root, ['init', '--store', 'sqlite']);
    const [binding] = contentsOf(root)[file]?.match(/@latchkey\/[\w-]+|\.\/auth\.server/) ?? [];
    expect(binding).toBe(
      { nitro: '@latchkey/h3', 'tanstack-start': './auth.server' }[framework] ?? `@latchkey/${framework}`,
    );
    expect(out).toContain(`npm install ${framework === 'nitro' ? '@latchkey/h3' : `@latchkey/${framework}`}`);
  });

  it('prints no installation of packages that package.json has', async () => {
    const files = { 'tsconfig.json': '{}' };
    const dependencies = { '@sveltejs/kit': '3.2.0', '@latchkey/sveltekit': '0.1.0' };
    const { out } = await latchkey(projectWith(files, { dependencies }), ['init']);
    expect(out.match(/npm install.*/g)).toEqual(['npm install --save-dev @types/node']);
    const all = { ...dependencies, '@types/node': '24.0.0' };
    expect((await latchkey(projectWith(files, { dependencies: all }), ['init'])).out).not.toContain('npm install');
  });

  it.each([
    ['^20', ['npm install --save-dev @types/node@22']],
    ['^22.5.0', null],
    ['latest', null],
  ])('with SQLite and @types/node in the range %s, prints the installation of %j', async (range, printed) => {
    const dependencies = { next: '16.4.5', '@latchkey/next': '0.1.0', '@latchkey/adapter-sql': '0.1.0' };
    const root = projectWith({ 'tsconfig.json': '{}' }, { dependencies: { ...dependencies, '@types/node': range } });
    expect((await latchkey(root, ['init', '--store', 'sqlite'])).out.match(/npm install.*/g)).toEqual(printed);
  });

  it('prints the settings that React Router 7 and Nitro 2 need', async () => {
    const version = (number: string) => ({ 'node_modules/react-router/package.json': `{ "version": "${number}" }` });
    const printed = async (files: ProjectFiles['files'], dependencies: object) =>
      (await latchkey(projectWith(files, { dependencies }), ['init'])).out;
    expect(await printed(version('7.9.0'), { '@react-router/dev': '7' })).toContain('v8_middleware: true');
    expect(await printed(version('8.4.0'), { '@react-router/dev': '8' })).not.toContain('v8_middleware');
    expect(await printed({}, { nitropack: '2.13.6' })).toContain("srcDir: 'server'");
  });

  it('leaves Nuxt to its guide, and writes nothing', async () => {
    const root = projectWith({}, { dependencies: { nuxt: '4.5.2', h3: '1.15.0' } });
    expect(await latchkey(root, ['init'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('docs/frameworks/nuxt.md'),
    });
    expect(Object.keys(contentsOf(root))).toEqual(['package.json']);
  });

  it('writes a middleware for Next.js 15', async () => {
    const root = projectWith({ 'node_modules/next/package.json': '{ "version": "15.5.2" }' });
    await latchkey(root, ['init', 'next']);
    expect(contentsOf(root)['middleware.js']).toContain('auth as middleware');
  });

  it('writes nothing if one of the files exists', async () => {
    const root = projectWith({ 'src/hooks.server.js': 'export const handle = 1;\n' });
    const before = contentsOf(root);
    expect(await latchkey(root, ['init', 'sveltekit'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('src/hooks.server.js'),
    });
    expect(contentsOf(root)).toEqual(before);
  });

  it('refuses folders and files that are symbolic links', async () => {
    const elsewhere = projectWith();
    const root = projectWith();
    symlinkSync(elsewhere, join(root, 'src'));
    expect(await latchkey(root, ['init', 'sveltekit'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('symbolic link'),
    });
    const dangling = projectWith();
    symlinkSync(join(elsewhere, 'new'), join(dangling, 'auth.js'));
    expect((await latchkey(dangling, ['init', 'express'])).code).toBe(1);
    expect(Object.keys(contentsOf(elsewhere))).toEqual(['package.json']);
  });

  it('adds a secret to an env file that exists, and keeps one that is there', async () => {
    const root = projectWith({ '.env': 'SHOP=1\n' });
    await latchkey(root, ['init', 'express']);
    expect(contentsOf(root)['.env']).toMatch(/^SHOP=1\nAUTH_SECRET="\S+"\nNODE_ENV=development\n$/);
    const copied = projectWith({ '.env': 'AUTH_SECRET=\nNODE_ENV=development\n' });
    await latchkey(copied, ['init', 'express']);
    expect(parseEnv(contentsOf(copied)['.env'] ?? '')['AUTH_SECRET']).toHaveLength(44);
    const other = projectWith({ '.env': 'AUTH_SECRET=mine\nNODE_ENV=test\n' });
    await latchkey(other, ['init', 'express']);
    expect(contentsOf(other)['.env']).toBe('AUTH_SECRET=mine\nNODE_ENV=test\n');
  });

  it.each([
    ['', '.env\n'],
    ['node_modules', 'node_modules\n.env\n'],
    ['.env.*\n.envrc\n#.env\n', '.env.*\n.envrc\n#.env\n.env\n'],
    ['.env\n!.env\n', '.env\n!.env\n.env\n'],
    ['.env\n', '.env\n'],
    ['/.env*\r\n', '/.env*\r\n'],
    ['**/.env', '**/.env'],
  ])('tells git to ignore the file with the secret, beside %j', async (present, expected) => {
    const root = projectWith({ '.git/HEAD': '', ...(present !== '' && { '.gitignore': present }) });
    await latchkey(root, ['init', 'express']);
    expect(contentsOf(root)['.gitignore']).toBe(expected);
  });

  it('counts the `.gitignore` at the root of the repository, and none above it', async () => {
    const files = { '.gitignore': '.env\n', 'own/.git/HEAD': '', 'part/package.json': '{}', 'own/package.json': '{}' };
    const root = projectWith(files);
    for (const folder of ['part', 'own']) await latchkey(join(root, folder), ['init', 'express']);
    expect(['part', 'own'].map((folder) => existsSync(join(root, folder, '.gitignore')))).toEqual([false, true]);
  });

  it('writes no secret if `.gitignore` is a symbolic link', async () => {
    const root = projectWith({ '.git/HEAD': '' });
    symlinkSync(join(root, 'elsewhere'), join(root, '.gitignore'));
    expect((await latchkey(root, ['init', 'express'])).code).toBe(1);
    expect(Object.keys(contentsOf(root))).not.toContain('.env');
  });

  it('writes nothing if git tracks the file for the secret', async () => {
    const root = projectWith({ '.env': 'SHOP=1\n' });
    for (const args of [['init'], ['add', '-f', '.env']]) spawnSync('git', args, { cwd: root });
    const { code, err } = await latchkey(root, ['init', 'express']);
    expect([code, err]).toEqual([1, expect.stringContaining('git rm --cached .env')]);
    expect([contentsOf(root)['.env'], contentsOf(root)['auth.js']]).toEqual(['SHOP=1\n', undefined]);
    spawnSync('git', ['rm', '--cached', '.env'], { cwd: root });
    expect((await latchkey(root, ['init', 'express'])).code).toBe(0);
  });

  it.each(['next', 'sveltekit', 'astro', 'react-router', 'tanstack-start'])(
    'leaves NODE_ENV to %s',
    async (framework) => {
      const root = projectWith();
      await latchkey(root, ['init', framework]);
      expect(JSON.stringify(contentsOf(root))).not.toContain('NODE_ENV');
    },
  );

  it.each([
    ['a framework', ['angular']],
    ['a store', ['express', '--store', 'mongodb']],
  ])('refuses %s without a template', async (_, args) => {
    expect((await latchkey(projectWith(), ['init', ...args])).code).toBe(2);
  });
});

describe('exit codes and output', () => {
  it.each([
    ['an unknown command', ['docto']],
    ['an unknown option', ['doctor', '--fix']],
    ['options that exclude each other', ['migrate', '--sql', '--dry-run']],
    ['an online option offline', ['doctor', '--offline', '--url', 'https://shop.example']],
    ['a URL that is none', ['doctor', '--url', 'shop.example']],
    ['no configuration', ['doctor']],
    ['a configuration that does not exist', ['doctor', '--config', 'missing.ts']],
    ['an env file that does not exist', ['doctor', '--env-file', '.env.missing']],
  ])('are 2 and a message for %s', async (_, args) => {
    const { code, err } = await latchkey(projectWith(), args);
    expect([code, err]).toEqual([2, expect.stringMatching(/^error: \S/)]);
  });

  it.each([
    ['throws', "throw new Error('boom \u001b[31mred');", 'boom red'],
    ['has no configuration', 'export const nothing = 1;', 'has no configuration'],
    ['does not parse', 'export const = ;', 'auth.js'],
    ['ends the process', 'process.exit(3);', 'exit code 3'],
  ])('are 2 if the file %s', async (_, text, words) => {
    const { code, err } = await latchkey(projectWith({ 'auth.js': text }), ['doctor']);
    expect([code, err]).toEqual([2, expect.stringContaining(words)]);
  });

  it('name a file that seems to have the configuration', async () => {
    const text = "import { ExpressAuth } from '@latchkey/express';\nExpressAuth({ providers: [] });";
    const root = projectWith({ 'server/index.js': text });
    expect((await latchkey(root, ['doctor'])).err).toContain('Try --config server/index.js');
  });

  it('show help with the warning that code of the application runs', async () => {
    for (const command of ['doctor', 'migrate']) {
      const { code, out } = await latchkey(projectWith(), [command, '--help']);
      expect([code, out]).toEqual([0, expect.stringContaining('runs the code of your application')]);
    }
  });

  it('counts warnings as errors with --strict', async () => {
    const files = {
      'auth.js':
        "import { defineConfig } from '@latchkey/core';\nexport default defineConfig({ providers: [], sesion: {} });",
    };
    const env = { AUTH_SECRET: SECRET, AUTH_URL: 'https://shop.example' };
    const root = projectWith(files);
    expect((await latchkey(root, ['doctor', '--offline'], { env })).code).toBe(0);
    expect((await latchkey(root, ['doctor', '--offline', '--strict'], { env })).code).toBe(1);
  });
});

describe('secrets', () => {
  /** In the environment, in the configuration, in what the application prints, and in what it throws. */
  const planted = [
    'pl4nted-Auth-Secret-0123456789-abcdef',
    'pl4nted-Client-Secret',
    'pl4nted-In-Code-Secret',
    'pl4nted-Db-Passw0rd',
    'pl4nted-Api-Key',
  ];
  const [auth, client, inCode, database, apiKey] = planted;
  const env = {
    ...healthyEnv,
    AUTH_SECRET: auth,
    AUTH_GITHUB_SECRET: `${client} `,
    DATABASE_URL: `postgres://shop:${database}@127.0.0.1:1/shop`,
    MAIL_API_KEY: apiKey,
  };
  const application = (end: string): string => `import { ExpressAuth } from '@latchkey/express';
import GitHub from '@latchkey/express/providers/github';
console.log(process.env.AUTH_SECRET, process.env.DATABASE_URL);
console.error(process.env.AUTH_GITHUB_SECRET);
const config = {
  providers: [GitHub, { id: 'acme', name: 'Acme', type: 'oidc', issuer: 'http://127.0.0.1:1/${inCode}', clientId: 'c', clientSecret: '${inCode}' }],
  adapter: { async getUser() { throw new Error('connect ' + process.env.DATABASE_URL + ' ' + process.env.MAIL_API_KEY); } },
};
${end}
export const auth = ExpressAuth(config);`;

  it.each([
    ['doctor', ['doctor'], ''],
    ['doctor --json', ['doctor', '--json'], ''],
    ['migrate', ['migrate'], ''],
    [
      'doctor of a file that throws',
      ['doctor'],
      "throw new Error('failed: ' + process.env.DATABASE_URL + config.providers[1].clientSecret + encodeURIComponent(process.env.AUTH_SECRET));",
    ],
  ])('occur in no output of %s', async (_, args, end) => {
    const text = application(end);
    const { out, err } = await latchkey(projectWith({ 'auth.js': text }), args, { env });
    expect(out + err).not.toBe('');
    // The configuration of a file that throws is not known, so a secret that only the code contains is not either.
    const known = end === '' ? planted : planted.filter((secret) => secret !== inCode);
    for (const secret of known) expect(out + err).not.toContain(secret);
  });

  it('reach no file of the project', async () => {
    const root = projectWith({ 'auth.js': application('') });
    const before = contentsOf(root);
    await latchkey(root, ['doctor'], { env });
    expect(contentsOf(root)).toEqual(before);
    expect(existsSync(join(root, 'node_modules/.cache'))).toBe(false);
  });
});

describe('configurations', () => {
  const env = {
    AUTH_SECRET: SECRET,
    AUTH_URL: 'https://shop.example',
    AUTH_ACME_ID: 'c',
    AUTH_ACME_SECRET: 'Zk3Lp9Qw',
  };
  const acme = "{ id: 'acme', name: 'Acme', type: 'oidc', issuer: 'https://id.acme.example' }";
  const urlsOf = async (root: string, args: string[] = []) => {
    const { out, err } = await latchkey(root, ['doctor', '--offline', '--json', ...args], { env });
    if (err !== '') throw new Error(err);
    return (JSON.parse(out) as { callbackUrls: object }).callbackUrls;
  };

  it.each([
    [
      'TypeScript with an enum and a path of tsconfig.json',
      {
        'auth.ts': `import { ExpressAuth } from '@latchkey/express';\nimport { acme } from '@/providers';\nenum Role { User }\nexport const auth = ExpressAuth({ providers: [acme], basePath: '/auth' } as never);\nvoid Role.User;`,
        'tsconfig.json': '{ "compilerOptions": { "paths": { "@/*": ["./lib/*"] } } }',
        'lib/providers.ts': `export const acme = ${acme} as const;`,
      },
    ],
    ['an export without a binding', { 'src/auth.js': `export const authConfig = { providers: [${acme}] };` }],
    ['a module of CommonJS', { 'auth.js': `module.exports = { providers: [${acme}] };`, 'package.json': '{}' }],
  ])('are found in %s', async (_, files) => {
    expect(await urlsOf(projectWith(files))).toEqual({ acme: 'https://shop.example/auth/callback/acme' });
  });

  it('have callback URLs of the route of Next.js, also if AUTH_URL names another path', async () => {
    const files = {
      'auth.ts': `import NextAuth from '@latchkey/next';\nexport const { handlers } = NextAuth({ providers: [${acme}] });`,
      'app/(site)/api/auth/[...nextauth]/route.ts':
        "import { handlers } from '../../../../../auth';\nexport const { GET, POST } = handlers;",
    };
    const root = projectWith(files, { dependencies: { next: '16.4.5' } });
    const { out } = await latchkey(root, ['doctor', '--offline', '--json'], {
      env: { ...env, AUTH_URL: 'https://shop.example/login' },
    });
    expect(JSON.parse(out)).toMatchObject({
      callbackUrls: { acme: 'https://shop.example/api/auth/callback/acme' },
      findings: [{ id: 'env-url-basepath-mismatch', facts: { basePath: '/login', mount: '/api/auth' } }],
    });
  });

  it('are found in the file that --config names', async () => {
    const root = projectWith({ 'server/sign-in.js': `export default { providers: [${acme}], basePath: '/in' };` });
    expect(await urlsOf(root, ['-c', 'server/sign-in.js'])).toEqual({ acme: 'https://shop.example/in/callback/acme' });
  });

  it('of Next.js may be a function, and import modules for servers only', async () => {
    const files = {
      'auth.ts': `import 'server-only';\nimport NextAuth from '@latchkey/next';\nexport const { auth } = NextAuth(async (request) => ({ providers: [${acme}], basePath: request ? '/wrong' : '/api/auth' }));`,
      'node_modules/server-only/package.json': JSON.stringify({
        name: 'server-only',
        exports: { '.': { 'react-server': './empty.js', default: './index.js' } },
      }),
      'node_modules/server-only/empty.js': '',
      'node_modules/server-only/index.js':
        "throw new Error('This module cannot be imported from a Client Component module.');",
    };
    const root = projectWith(files, { dependencies: { next: '16.4.5' } });
    expect(await urlsOf(root)).toEqual({ acme: 'https://shop.example/api/auth/callback/acme' });
  });

  it('of SvelteKit are loaded by the Vite of the project', async () => {
    const files = {
      'vite.config.js': "import { sveltekit } from '@sveltejs/kit/vite';\nexport default { plugins: [sveltekit()] };",
      'src/app.html': '<html><head>%sveltekit.head%</head><body>%sveltekit.body%</body></html>',
      'src/lib/acme.js': `export const acme = ${acme};`,
      'src/auth.js': `import { building } from '$app/environment';\nimport { SvelteKitAuth } from '@latchkey/sveltekit';\nimport { acme } from './lib/acme.js';\nexport const { handle } = SvelteKitAuth(() => ({ providers: building ? [] : [acme] }));`,
    };
    const root = projectWith(files, { devDependencies: { '@sveltejs/kit': '3.2.0', vite: '8.3.8' } });
    expect(await urlsOf(root)).toEqual({ acme: 'https://shop.example/auth/callback/acme' });
  });

  it('get the variables of the files that the framework reads, the strongest first', async () => {
    const files = {
      'auth.js': `import NextAuth from '@latchkey/next';\nexport const { auth } = NextAuth({ providers: [${acme}], basePath: process.env.BASE });`,
      '.env': 'BASE=/weak\nSITE=/api\n',
      '.env.local': 'BASE="$SITE/strong"\n',
      '.env.production': 'BASE=/other\n',
    };
    const root = projectWith(files, { dependencies: { next: '16.4.5' } });
    expect(await urlsOf(root)).toEqual({ acme: 'https://shop.example/api/strong/callback/acme' });
    const plain = projectWith({
      ...files,
      'auth.js': `export default { providers: [${acme}], basePath: process.env.BASE };`,
    });
    expect(await urlsOf(plain, ['--env-file', '.env'])).toEqual({ acme: 'https://shop.example/weak/callback/acme' });
  });
});

describe('the configuration of each framework', () => {
  it.each([
    ['hono', 'auth.js', 'HonoAuth', '(c) => options(c.req.raw.url)'],
    ['h3', 'auth.js', 'H3Auth', '(event) => options(event.req.url)'],
    ['fastify', 'auth.js', 'FastifyAuth', '(request) => options(request.headers.host)'],
    ['react-router', 'app/auth.server.js', 'ReactRouterAuth', '({ request }) => options(request.url)'],
    ['astro', 'src/auth.js', 'AstroAuth', '({ url }) => options(url.href)'],
    ['tanstack-start', 'src/auth.server.js', 'TanStackAuth', '(request) => options(request.url)'],
  ])('is found in %s, and may be a function of the request', async (framework, file, factory, config) => {
    const sign = { 'react-router': '@react-router/dev', 'tanstack-start': '@tanstack/react-start' }[framework];
    const text = `import { ${factory} } from '@latchkey/${framework}';
import GitHub from '@latchkey/${framework}/providers/github';
const options = (url) => url.includes('localhost') ? { providers: [GitHub] } : { providers: [] };
export const made = ${factory}(${config});`;
    const root = projectWith({ [file]: text }, { dependencies: { [sign ?? framework]: '*' } });
    const { callbackUrls, findings } = await doctor(root, healthyEnv);
    expect(findings.filter(({ id }) => id !== 'framework-version')).toEqual([]);
    expect(callbackUrls).toEqual({ github: 'https://shop.example/auth/callback/github' });
  });

  it.each([
    ['react-router', 'app/auth.server.js', 'ReactRouterAuth', '.env.local', []],
    ['astro', 'src/auth.js', 'AstroAuth', '.env', ['env-file']],
  ])('of %s gets the env files that the framework reads', async (framework, file, factory, env, ids) => {
    const text = `import { ${factory} } from '@latchkey/${framework}';\nexport default ${factory}({ providers: [] });`;
    const variables = `AUTH_SECRET=${SECRET}\nAUTH_URL=https://shop.example\n`;
    const dependencies = { [framework === 'react-router' ? '@react-router/dev' : framework]: '*' };
    const root = projectWith({ [file]: text, [env]: variables }, { dependencies });
    const own = ids.length > 0 ? { AUTH_SECRET: SECRET, AUTH_URL: 'https://shop.example' } : {};
    expect((await doctor(root, own)).findings.map(({ id }) => id)).toEqual(ids);
  });

  it('of Nuxt is read by the core that the package for Nuxt finds, also if the application finds none', async () => {
    const manifest = JSON.stringify({ version: '0.0.0', type: 'module' });
    const nuxt = 'node_modules/@latchkey/nuxt';
    const core = `${nuxt}/node_modules/@latchkey/h3/node_modules/@latchkey/core`;
    const files = {
      'server/utils/auth.js':
        "globalThis[Symbol.for('latchkey.inspect')]({ binding: 'h3', config: { providers: [] }, basePath: '/auth' });",
      [`${nuxt}/package.json`]: manifest,
      [`${nuxt}/node_modules/@latchkey/h3/package.json`]: manifest,
      [`${core}/package.json`]: manifest,
      [`${core}/dist/inspection.js`]: "export const inspectConfig = () => { throw new Error('the core of Nuxt'); };",
    };
    // A folder without packages above it.
    const project = writeProject({ files, manifest: { dependencies: { nuxt: '*' } } }, tmpdir());
    projects.push(project);
    expect((await latchkey(project.root, ['doctor', '--offline'])).err).toContain('the core of Nuxt');
  });

  it('of Astro answers at the place of its file', async () => {
    const root = projectWith(
      {
        'src/auth.js':
          "import { AstroAuth } from '@latchkey/astro';\nexport const { handler } = AstroAuth({ providers: [] });",
        'src/pages/account/[...auth].js': "import { handler } from '../../auth';\nexport const ALL = handler;",
      },
      { dependencies: { astro: '7.3.5' } },
    );
    const { AUTH_SECRET, AUTH_URL } = healthyEnv;
    expect((await doctor(root, { AUTH_SECRET, AUTH_URL })).findings).toMatchObject([
      { id: 'env-url-basepath-mismatch', facts: { basePath: '/auth', mount: '/account' } },
    ]);
  });
});

it('writes no file in the home folder, and sends no request of its own', async () => {
  const home = projectWith();
  mkdirSync(join(home, 'app'));
  writeFileSync(join(home, 'app/package.json'), '{}');
  await latchkey(join(home, 'app'), ['secret'], { env: { HOME: home } });
  await latchkey(join(home, 'app'), ['doctor'], { env: { HOME: home } });
  expect(Object.keys(contentsOf(home)).sort()).toEqual(['app/package.json', 'package.json']);
});

describe('latchkey explain', () => {
  const files = {
    'auth.js': "import { ExpressAuth } from '@latchkey/express';\nexport default ExpressAuth({ providers: [] });",
  };
  const explained = (input: string, args: string[] = [], url = 'https://shop.example') =>
    latchkey(projectWith(files), ['explain', ...args], { env: { AUTH_SECRET: SECRET, AUTH_URL: url }, input });
  const token = () =>
    encode({ secret: SECRET, salt: '__Secure-authjs.session-token', token: { sub: '1', name: 'Ada' } });

  it('finds the session of a request', async () => {
    const { code, out } = await explained(
      `GET /account HTTP/1.1\r\nHost: shop.example\r\nCookie: __Secure-authjs.session-token=${await token()}\r\n\r\n`,
    );
    expect([code, out.split('\n')[0]]).toEqual([0, 'session']);
  });

  it.each([
    ['cookie-missing', 'Cookie: other=1'],
    ['cookie-prefix', 'authjs.session-token=value-of-the-cookie'],
    ['strategy-mismatch', '__Secure-authjs.session-token=value-of-the-cookie'],
    [
      'csrf-missing',
      'POST /auth/signout HTTP/1.1\nHost: shop.example\nContent-Type: application/x-www-form-urlencoded\n\ncallbackUrl=/',
    ],
  ])('names the cause %s, and no value of a cookie', async (cause, input) => {
    const { code, out } = await explained(input);
    expect([code, out.split('\n')[0]]).toEqual([
      1,
      expect.stringMatching(new RegExp(`^(no-session|refused)  ${cause}$`)),
    ]);
    expect(out).not.toContain('value-of-the-cookie');
  });

  it('takes the site from --url', async () => {
    expect(
      (await explained(`__Secure-authjs.session-token=${await token()}`, ['--url', 'http://localhost:3000'], '')).out,
    ).toMatch(/^no-session {2}cookie-prefix/);
  });

  it.each([
    ['nothing', ''],
    ['a text without a cookie', 'hello'],
  ])('refuses %s, without quoting it', async (_, input) => {
    const { code, err } = await explained(input);
    expect([code, err]).toEqual([2, expect.stringContaining('Cookie header')]);
    expect(err).not.toContain('hello');
  });
});
