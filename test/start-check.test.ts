import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

const root = new URL('..', import.meta.url);
const SECRET = 'a-secret-for-tests-of-more-than-32-characters';

interface Result {
  readonly out: string;
  readonly log: string;
  readonly status: number | null;
}

/** Runs a program that imports the built packages, with no other environment variables than these. */
function run(program: string, env: Record<string, string> = {}): Result {
  const imports = `
    import { ExpressAuth, assertConfig } from '@latchkey/express';
    import GitHub from '@latchkey/core/providers/github';
    import { SqlAdapter } from '@latchkey/adapter-sql';
    import { DatabaseSync } from 'node:sqlite';`;
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', `${imports}\n${program}`],
    { cwd: root, encoding: 'utf8', env: { PATH: process.env['PATH'] ?? '', ...env } },
  );
  return { out: stdout, log: stderr.replaceAll(/\b[\da-f]{8}\b/g, '<reference>'), status };
}

const see = (name: string): string => `See @latchkey/core/docs/errors.md#${name}`;
const NO_SECRET = `MissingSecret: AUTH_SECRET (\`secret\`) is not set. Run \`npx @latchkey/cli secret --write .env\`, or set it to the output of \`openssl rand -base64 33\`. ${see('missingsecret')}`;
const NO_HOST = `UntrustedHost: no host is trusted: NODE_ENV is "production", and AUTH_URL is not set. Set AUTH_URL to the URL of the site, or AUTH_TRUST_HOST=true (\`trustHost: true\`) if the server in front sets the Host header itself. ${see('untrustedhost')}`;
const UNSET = `[auth][warn][node-env-unset] NODE_ENV is not set, so only loopback and private hosts are trusted, and local requests see error details. Set it to \`production\` on servers, and to \`development\` elsewhere. ${see('node-env-unset')}`;
const CLIENT = { AUTH_GITHUB_ID: 'client-1', AUTH_GITHUB_SECRET: 'Hq2Vb8Lk5Zx1' };
const NO_CLIENT = `[auth][warn][client-missing] provider "github" has no client id. Set AUTH_GITHUB_ID. provider "github" has no client secret. Set AUTH_GITHUB_SECRET. ${see('client-missing')}`;
const DETAILS = "[auth][details] { reference: '<reference>' }";
const lines = (...texts: string[]): string => texts.map((text) => `${text}\n`).join('');

it.each<[string, program: string, env: Record<string, string>, log: string, out?: string]>([
  [
    'all problems, in production',
    'ExpressAuth({ providers: [GitHub] });',
    { NODE_ENV: 'production' },
    lines(NO_CLIENT, `[auth][error] ${NO_HOST}`, DETAILS, `[auth][error] ${NO_SECRET}`, DETAILS),
  ],
  [
    'that NODE_ENV is not set',
    'ExpressAuth({ providers: [GitHub] });',
    { ...CLIENT, AUTH_SECRET: SECRET },
    lines(UNSET),
  ],
  [
    'unknown options with the option that was meant, in development',
    `ExpressAuth({ providers: [], sesion: {}, session: { maxage: 3 }, xyzzy: 1 });`,
    { NODE_ENV: 'development', AUTH_SECRET: SECRET },
    lines(
      `[auth][warn][unknown-option] \`sesion\` is not an option. Did you mean \`session\`? \`session.maxage\` is not an option. Did you mean \`session.maxAge\`? \`xyzzy\` is not an option. ${see('unknown-option')}`,
    ),
  ],
  [
    'callback URLs, in development',
    'ExpressAuth({ providers: [GitHub] });',
    { ...CLIENT, NODE_ENV: 'development', AUTH_SECRET: SECRET, AUTH_URL: 'http://localhost:3000/auth' },
    '',
    lines('[auth][info] GitHub: register the callback URL http://localhost:3000/auth/callback/github'),
  ],
  [
    'callback URLs with the port of PORT',
    'ExpressAuth({ providers: [GitHub] });',
    { ...CLIENT, NODE_ENV: 'development', AUTH_SECRET: SECRET, PORT: '4000' },
    '',
    lines('[auth][info] GitHub: register the callback URL http://localhost:4000/auth/callback/github'),
  ],
  [
    'the end of callback URLs, if the port is not known',
    'ExpressAuth({ providers: [GitHub] });',
    { ...CLIENT, NODE_ENV: 'development', AUTH_SECRET: SECRET },
    '',
    lines('[auth][info] GitHub: register the callback URL of this site that ends with /auth/callback/github'),
  ],
  [
    'callback URLs with the condition that the handler is mounted there',
    'ExpressAuth({ providers: [GitHub] });',
    { ...CLIENT, NODE_ENV: 'development', AUTH_SECRET: SECRET, AUTH_URL: 'http://localhost:3000/login' },
    '',
    lines(
      '[auth][info] GitHub: register the callback URL http://localhost:3000/login/callback/github, if the handler is mounted at /login',
    ),
  ],
  [
    'options of providers that resemble known ones, and no others',
    `ExpressAuth({ providers: [GitHub({ clientid: 'c', myOwn: 1 }), { id: 'acme', name: 'Acme', type: 'oidc', issuer: 'https://id.acme.example', clientId: 'c', clientSecret: 's', cheks: ['pkce'] }] });`,
    { ...CLIENT, NODE_ENV: 'development', AUTH_SECRET: SECRET },
    lines(
      `[auth][warn][unknown-option] \`providers[0].clientid\` is not an option. Did you mean \`providers[0].clientId\`? \`providers[1].cheks\` is not an option. Did you mean \`providers[1].checks\`? ${see('unknown-option')}`,
    ),
    expect.stringContaining('GitHub'),
  ],
  [
    'missing tables, in development',
    `ExpressAuth({ providers: [], session: { strategy: 'jwt' }, adapter: SqlAdapter(new DatabaseSync(':memory:'), { migrate: false }) });`,
    { NODE_ENV: 'development', AUTH_SECRET: SECRET },
    expect.stringMatching(
      /^\[auth\]\[error\] AdapterError: SQLite has no table "auth_users", "auth_accounts", "auth_verificationTokens"[^.]*\. Run `npx @latchkey\/cli migrate`, or print the statements with `npx @latchkey\/cli migrate --sql`\. See .*#adaptererror\n/,
    ),
  ],
  [
    'the missing table of provider tokens, in development',
    `const db = new DatabaseSync(':memory:');
    await SqlAdapter(db).migrations.apply();
    ExpressAuth({ providers: [], session: { strategy: 'jwt' }, adapter: SqlAdapter(db, { migrate: false }), tokens: { store: true } });`,
    { NODE_ENV: 'development', AUTH_SECRET: SECRET },
    expect.stringMatching(/^\[auth\]\[error\] AdapterError: SQLite has no table "auth_tokens"\. Run/),
  ],
  [
    'nothing, if nothing is wrong',
    'ExpressAuth({ providers: [GitHub] });',
    { ...CLIENT, NODE_ENV: 'production', AUTH_SECRET: SECRET, AUTH_URL: 'https://shop.example' },
    '',
  ],
  ['nothing, in tests', 'ExpressAuth({ providers: [GitHub] });', { NODE_ENV: 'test' }, ''],
  ['nothing, while Next.js builds', 'ExpressAuth({ providers: [] });', { NEXT_PHASE: 'phase-production-build' }, ''],
  [
    'nothing about tables, in production',
    `
    const adapter = SqlAdapter(new DatabaseSync(':memory:'), { migrate: false });
    ExpressAuth({ providers: [], adapter });`,
    { NODE_ENV: 'production', AUTH_SECRET: SECRET, AUTH_URL: 'https://shop.example' },
    '',
  ],
  [
    'problems to the logger of the application',
    `const logger = { error: ({ type }) => console.log('error', type), warn: (code) => console.log('warn', code) };
     ExpressAuth({ providers: [], logger });`,
    {},
    '',
    lines('warn node-env-unset', 'error MissingSecret'),
  ],
  [
    'nothing, if reading the configuration throws',
    `ExpressAuth({ providers: [], get pages() { throw new Error('secret'); } });`,
    { NODE_ENV: 'production' },
    '',
  ],
])('the log has %s', (_, program, env, log, out = '') => {
  expect(run(program, env)).toEqual({ log, out, status: 0 });
});

/** A server whose first request reads the session. */
const SERVE = `
  import express from 'express';
  import { once } from 'node:events';
  const app = express();
  app.use('/auth', ExpressAuth({ providers: [] }));
  const server = app.listen(0);
  await once(server, 'listening');
  await new Promise((resolve) => setTimeout(resolve, 200));
  const ask = async (path) => (await fetch('http://localhost:' + server.address().port + '/auth/' + path)).status;`;

it('the first request does not log the same problems again', () => {
  const { log, out } = run(`${SERVE} console.log(await ask('session'), await ask('signin')); server.close();`, {
    NODE_ENV: 'development',
  });
  expect(log).toBe(lines(`[auth][error] ${NO_SECRET}`, DETAILS));
  expect(out).toBe('500 500\n');
});

it('the first good request says that the environment was loaded late', () => {
  const { log, out } = run(
    `${SERVE} process.env.AUTH_SECRET = '${SECRET}'; console.log(await ask('signin')); server.close();`,
    {
      NODE_ENV: 'development',
    },
  );
  expect(log).toContain('[auth][warn][environment-late] the problems that were logged at the start are gone');
  expect(out).toBe('200\n');
});

it('`assertConfig` throws one error with all problems', () => {
  const { out } = run(
    `await assertConfig({ providers: [GitHub], pages: { signIn: 7 } }).catch((error) => console.log(error.type, error.errors.map(({ type }) => type), error.message));
     await assertConfig({ providers: [GitHub], secret: '${SECRET}', trustHost: true });`,
    { NODE_ENV: 'production' },
  );
  expect(out).toContain(
    "AuthError [ 'UntrustedHost', 'AuthError', 'MissingSecret' ] the configuration has 3 problems:",
  );
  expect(out).toContain(`- ${NO_SECRET}`);
});
