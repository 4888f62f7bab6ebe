import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { encode } from '@latchkey/core/jwt';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, describe, expect, it } from 'vitest';
import { healthyEnv, latchkey, SECRET, writeProject } from './fixtures/project.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const page = readFileSync(`${root}docs/cli.md`, 'utf8');

/** The output below a command in the page. */
function sample(command: string): string {
  const start = page.indexOf(`$ npx @latchkey/cli ${command}`);
  expect(start, `docs/cli.md has no sample of ${command}`).toBeGreaterThan(0);
  const [, ...lines] = page.slice(start, page.indexOf('```', start)).trimEnd().split('\n');
  return lines.join('\n');
}

const projects: { remove(): void }[] = [];
afterAll(() => {
  for (const project of projects) project.remove();
});
const projectWith = (files: Record<string, string>, manifest = {}): string => {
  const project = writeProject({ files, manifest });
  projects.push(project);
  return project.root;
};

/** The application of the page. */
const misspelled = {
  'auth.ts': `import { ExpressAuth } from '@latchkey/express';
import GitHub from '@latchkey/express/providers/github';

export const authHandler = ExpressAuth({ providers: [GitHub], sesion: { maxAge: 3600 } });
`,
  '.env':
    'AUTH_SECRET="Wq8vN2bX5cZ7mL0kJ4hG6fD9sA1pO3iU"\nAUTH_GITHUB_CLIENT_ID=client-1\nAUTH_GITHUB_SECRET="Hq2Vb8Lk5Zx1"\n',
};
const started = { scripts: { start: 'node --env-file=.env server.ts' } };

describe('the samples of docs/cli.md', () => {
  it('of `doctor` are its output', async () => {
    const { out } = await latchkey(projectWith(misspelled, started), ['doctor', '--offline']);
    expect(out).toBe(sample('doctor --offline'));
  });

  it('of `providers` are its output', async () => {
    const args = ['providers', 'github', '--origin', 'https://shop.example'];
    expect((await latchkey(projectWith({}), args)).out).toBe(sample(args.join(' ')));
  });

  it('of `explain` are the beginning of its output', async () => {
    const token = await encode({ secret: SECRET, salt: 'authjs.session-token', token: { sub: '1' } });
    const { out } = await latchkey(
      projectWith({
        'auth.js': "import { ExpressAuth } from '@latchkey/express';\nexport default ExpressAuth({ providers: [] });",
      }),
      ['explain', '--url', 'https://shop.example'],
      { env: healthyEnv, input: `authjs.session-token=${token}` },
    );
    expect(out.startsWith(sample('explain')), out).toBe(true);
  });
});

describe('docs/cli.md', () => {
  const sources = globSync(`${root}packages/cli/src/checks/*.ts`).map((file) => readFileSync(file, 'utf8'));
  const ids = new Set(
    sources.flatMap((text) => [...text.matchAll(/report\.(?:check|add)\(\s*'([a-z-]+)'/g)].map(([, id = '']) => id)),
  );

  it('describes each check', () => {
    const described = [...page.matchAll(/^### (.+)$/gm)].map(([, id]) => id);
    const composed = ['schema-missing', 'schema-column', 'schema-index', 'client-id-missing', 'client-secret-missing'];
    // These are described on the page of errors.
    const elsewhere = ['configuration', 'env-url-invalid', 'env-url-port', 'env-url-basepath-mismatch'];
    const own = [...ids, ...composed].filter((id) => !elsewhere.includes(id));
    expect([...described].sort()).toEqual([...new Set(own)].sort());
  });

  it.each(['secret', 'init', 'doctor', 'migrate', 'providers', 'explain'])(
    'names the options of `%s`',
    async (command) => {
      const { out } = await latchkey(projectWith({}), [command, '--help']);
      const options = [...out.matchAll(/--[a-z-]+/g)].map(([option]) => option).filter((option) => option !== '--help');
      expect(options.length).toBeGreaterThan(0);
      for (const option of options) expect(page).toContain(option);
    },
  );
});

describe('the JSON of `doctor`', () => {
  it('conforms to the published schema, with findings and without', async () => {
    const schema = JSON.parse(readFileSync(`${root}packages/cli/doctor.schema.json`, 'utf8'));
    const validate = new Ajv2020({ allowUnionTypes: true }).compile(schema);
    for (const files of [misspelled, { 'auth.js': 'export default { providers: [] };' }]) {
      const { out } = await latchkey(projectWith(files), ['doctor', '--offline', '--json'], {
        env: { AUTH_SECRET: SECRET },
      });
      expect(validate(JSON.parse(out)), JSON.stringify(validate.errors)).toBe(true);
    }
  });
});
