import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, it } from 'vitest';
import { available, mariadb, postgres } from '../../../test/services/index.ts';
import { doctor, healthyEnv, latchkey, writeProject } from './fixtures/project.ts';

/** An engine, its database, and the lines that open it. */
interface Engine {
  readonly name: string;
  readonly isAvailable: boolean;
  open(): Promise<{ readonly code: string; readonly env: Record<string, string> }>;
}

const engines: readonly Engine[] = [
  {
    name: 'SQLite',
    isAvailable: true,
    open: async () => ({
      code: "import { DatabaseSync } from 'node:sqlite';\nconst db = new DatabaseSync('auth.db');",
      env: {},
    }),
  },
  {
    name: 'PostgreSQL',
    isAvailable: await available('postgres'),
    open: async () => ({
      code: "import pg from 'pg';\nconst db = new pg.Pool({ connectionString: process.env.DATABASE_URL });",
      env: { DATABASE_URL: (await (await postgres()).fresh()).url },
    }),
  },
  {
    name: 'MySQL',
    isAvailable: await available('mariadb'),
    open: async () => ({
      code: "import { createPool } from 'mysql2/promise';\nconst db = createPool(process.env.DATABASE_URL);",
      env: { DATABASE_URL: (await (await mariadb()).fresh()).url },
    }),
  },
];

const projects: { remove(): void }[] = [];
afterAll(() => {
  for (const project of projects) project.remove();
});

function applicationWith(code: string, options = '{ migrate: false }', more = ''): string {
  const project = writeProject({
    files: {
      'auth.js': `import { ExpressAuth } from '@latchkey/express';
import GitHub from '@latchkey/express/providers/github';
import { SqlAdapter } from '@latchkey/adapter-sql';
${code}
export const auth = ExpressAuth({ providers: [GitHub], adapter: SqlAdapter(db, ${options}), ${more} });`,
    },
  });
  projects.push(project);
  return project.root;
}

describe.each(engines.filter(({ isAvailable }) => isAvailable))('migrate on $name', ({ name, open }) => {
  it('lists, prints, asks, adds, and then finds nothing', async () => {
    const { code, env: own } = await open();
    const root = applicationWith(code);
    const env = { ...healthyEnv, ...own };
    const migrate = (...args: string[]) => latchkey(root, ['migrate', ...args], { env });
    const schema = async () => (await migrate('--sql')).out;

    const missing = await doctor(root, env, []);
    expect(missing.findings.map(({ id }) => id)).toEqual(['schema-missing']);
    expect(missing.findings[0]?.message).toContain(`${name} has no table auth_users`);
    const before = await schema();
    expect(before).toMatch(/create table/i);

    const dry = await migrate('--dry-run');
    expect([dry.code, dry.out]).toEqual([0, expect.stringContaining('table auth_users')]);
    expect(await migrate('--check')).toMatchObject({ code: 1 });
    expect(await migrate()).toMatchObject({ code: 2, err: expect.stringContaining('--yes') });
    const questions: string[] = [];
    const refused = await latchkey(root, ['migrate'], {
      env,
      isInteractive: true,
      confirm: async (question) => questions.push(question) < 0,
    });
    expect([refused.code, refused.out]).toEqual([1, expect.stringContaining('Nothing was changed.')]);
    expect(questions.join()).toContain(`${name} database "`);
    // None of these has changed the schema.
    expect(await schema()).toBe(before);

    const done = await migrate('--yes');
    expect([done.code, done.out]).toEqual([0, expect.stringContaining('added table auth_users')]);
    expect(await schema()).toBe('');
    expect(await migrate('--check')).toMatchObject({ code: 0, out: expect.stringContaining('lacks nothing') });
    expect((await doctor(root, env, [])).findings).toEqual([]);
  });
});

describe('the checks of a store', () => {
  it('do not report tables that the adapter makes by itself', async () => {
    const root = applicationWith(
      "import { DatabaseSync } from 'node:sqlite';\nconst db = new DatabaseSync('auth.db');",
      '{}',
    );
    expect((await doctor(root, healthyEnv, [])).findings).toEqual([]);
    expect((await latchkey(root, ['migrate', '--sql'], { env: healthyEnv })).out).toMatch(/create table/);
  });

  it('report the table of provider tokens if the application stores tokens', async () => {
    const code = "import { DatabaseSync } from 'node:sqlite';\nconst db = new DatabaseSync('auth.db');";
    const [without, root] = [applicationWith(code), applicationWith(code, undefined, 'tokens: { store: true }')];
    const migrate = (of: string, ...args: string[]) => latchkey(of, ['migrate', ...args], { env: healthyEnv });
    expect((await migrate(without, '--sql')).out).not.toContain('auth_tokens');
    expect((await migrate(root, '--sql')).out).toContain('create table "auth_tokens"');
    expect((await doctor(root, healthyEnv, [])).findings[0]?.message).toContain('auth_tokens');
    expect((await migrate(root, '--yes')).out).toContain('added table auth_tokens');
    expect((await doctor(root, healthyEnv, [])).findings.map(({ id }) => id)).not.toContain('schema-missing');
    expect((await migrate(root, '--check')).code).toBe(0);
  });

  it('report a missing column, a missing index and keys of several rows', async () => {
    const root = applicationWith(
      "import { DatabaseSync } from 'node:sqlite';\nconst db = new DatabaseSync('auth.db');",
    );
    await latchkey(root, ['migrate', '--yes'], { env: healthyEnv });
    const db = new DatabaseSync(join(root, 'auth.db'));
    db.exec(`alter table auth_accounts drop column refresh_token; drop index auth_sessions_user;
      drop index auth_users_email; insert into auth_users (id, email) values ('1', 'ada@example.com'), ('2', 'ada@example.com')`);
    db.close();
    const { findings } = await doctor(root, healthyEnv, []);
    expect(findings.map(({ id, level }) => [id, level])).toEqual([
      ['schema-column', 'error'],
      ['duplicate-keys', 'error'],
      ['schema-index', 'warning'],
    ]);
    const result = await latchkey(root, ['migrate', '--yes'], { env: healthyEnv });
    expect(result).toMatchObject({
      code: 1,
      err: expect.stringContaining('auth_users (email): 1 keys have several rows'),
    });
  });

  it('report a database that does not answer, without its password', async () => {
    const root = applicationWith(
      "import pg from 'pg';\nconst db = new pg.Pool({ connectionString: process.env.DATABASE_URL });",
    );
    const env = { ...healthyEnv, DATABASE_URL: 'postgres://shop:Tr0ub4dor-planted@127.0.0.1:1/shop' };
    const { findings, out } = await doctor(root, env, []);
    expect(findings.map(({ id }) => id)).toEqual(['store-connection']);
    expect(out).not.toContain('Tr0ub4dor-planted');
  });

  it('fail if there is nothing that can be migrated', async () => {
    const project = writeProject({
      files: {
        'auth.js': "import { defineConfig } from '@latchkey/core';\nexport default defineConfig({ providers: [] });",
      },
    });
    projects.push(project);
    expect(await latchkey(project.root, ['migrate'], { env: healthyEnv })).toMatchObject({
      code: 2,
      err: expect.stringContaining('no `adapter`'),
    });
  });
});

describe('the checks of a store of another library', () => {
  const plan = (database: string, steps = '[]'): string => `import { defineConfig } from '@latchkey/core';
export default defineConfig({ providers: [], session: { strategy: 'jwt' }, adapter: { migrations: {
  plan: async () => ({ database: { engine: 'Shop', host: null, name: 'shop', time: ${database} }, steps: ${steps}, duplicates: [] }),
  apply: async () => ({ added: [], duplicates: [] }),
} } });`;
  const diagnosed = async (text: string) => {
    const project = writeProject({ files: { 'auth.js': text } });
    projects.push(project);
    return (await doctor(project.root, { AUTH_SECRET: healthyEnv['AUTH_SECRET'] }, [])).findings;
  };

  it('report a clock that differs', async () => {
    const [finding] = await diagnosed(plan('new Date(Date.now() - 95_000)'));
    expect(finding).toMatchObject({
      id: 'store-clock',
      level: 'warning',
      message: expect.stringMatching(/9\d s behind/),
    });
    expect(await diagnosed(plan('new Date()'))).toEqual([]);
  });

  it('do not report tables that the configuration does not use', async () => {
    const step = (rows: string) =>
      `[{ kind: 'table', table: '${rows}', rows: '${rows}', adds: 'table ${rows}', sql: '', automatic: false }]`;
    for (const rows of ['sessions', 'authenticators']) expect(await diagnosed(plan('null', step(rows)))).toEqual([]);
    expect((await diagnosed(plan('null', step('users')))).map(({ id }) => id)).toEqual(['schema-missing']);
  });

  it('report a store that never answers', async () => {
    const never = plan('null').replace(/plan: .*/, 'plan: () => new Promise(() => {}),');
    expect((await diagnosed(never))[0]).toMatchObject({
      id: 'store-connection',
      message: expect.stringContaining('no answer in 10000 ms'),
    });
  });
});
