import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { budgets, bundleSizes } from '../bench/other/bundle.ts';
import { asking } from '../bench/other/child.ts';
import { loadedBy, moduleFigures, unneededIn } from '../bench/other/modules.ts';
import { styles } from '../packages/core/src/views/styles.ts';

const DATABASE_SESSION = `
import { Auth } from '@latchkey/core';
const session = { sessionToken: 'token', userId: '1', expires: new Date(Date.now() + 86_400_000) };
const methods = ['createUser', 'getUser', 'getUserByEmail', 'getUserByAccount', 'updateUser', 'linkAccount', 'createSession', 'updateSession', 'deleteSession'];
const adapter = {
  ...Object.fromEntries(methods.map((method) => [method, async () => null])),
  getSessionAndUser: async () => ({ session, user: { id: '1', name: 'Ada', email: 'ada@example.com' } }),
};
const config = { adapter, providers: [], session: { strategy: 'database' }, secret: 'a-secret-of-more-than-32-characters', trustHost: true };
const request = new Request('https://app.example/auth/session', { headers: { cookie: '__Secure-authjs.session-token=token' } });
const answer = await (await Auth(request, config)).text();
if (!answer.includes('Ada')) throw new Error('no session: ' + answer);`;

it('`@latchkey/core/style.css` is the style sheet of the pages', () => {
  const file = new URL('../packages/core/dist/style.css', import.meta.url);
  expect(readFileSync(file, 'utf8')).toBe(`${styles}\n`);
});

// The bundler of an application makes this code of the built packages. Its size is measured minified and gzipped.
// - `whole`: `Auth` and `jwt` without providers, with all parts that are loaded on demand.
// - `session`: the part of `whole` that a request for a session loads.
// - `jwt`: `@latchkey/core/jwt` alone.
// - `react`: the client code of `@latchkey/next/react`.
describe('the size of a bundle', async () => {
  const sizes = await bundleSizes();
  it.for(Object.entries(budgets()))('%s stays within its budget', ([name, { most }]) => {
    const size = sizes[name as keyof typeof sizes];
    expect(size, 'bytes, gzipped').toBeGreaterThan(0);
    expect(size, 'more than bench/budgets.json allows').toBeLessThanOrEqual(most);
  });
});

describe('the code that Node.js loads', () => {
  it('does not include pages, OAuth, WebAuthn or mail for a session', async () => {
    const [files, unneeded] = await moduleFigures();
    expect(files?.value).toBeGreaterThan(2);
    expect(unneeded).toMatchObject({ value: 0, parts: {} });
  });

  it.for([
    [
      'a session',
      `${asking('latchkey')} await ask();`,
      ['core/index', 'core/parts/session', 'core/parts/tokens', 'core/errors', 'core/providers/github', 'core/jwt'],
    ],
    ['tokens', `await import('@latchkey/core/jwt');`, ['core/jwt', 'core/parts/tokens', 'core/errors']],
    ['a provider', `await import('@latchkey/core/providers/github');`, ['core/providers/github']],
    [
      'Express',
      `await import('@latchkey/express');`,
      ['express/index', 'core/index', 'core/parts/session', 'core/parts/tokens', 'core/errors', 'core/binding'],
    ],
    [
      'a database',
      `await import('@latchkey/adapter-sql');`,
      ['adapter-sql/index', 'core/adapters', 'core/parts/record-rows'],
    ],
    [
      'Redis',
      `await import('@latchkey/adapter-redis');`,
      ['adapter-redis/index', 'core/adapters', 'core/parts/record-rows'],
    ],
  ] as const)('is in these files only for %s', async ([, code, expected]) => {
    const files = await loadedBy(code);
    expect(files.map((url) => url.replace(/^.*packages\//, '').replace('/dist/', '/')).sort()).toEqual(
      expected.map((name) => `${name}.js`).sort(),
    );
  });

  it.for([
    ['a session without node:crypto', `process.getBuiltinModule = () => undefined; ${asking('latchkey')} await ask();`],
    ['a database session', DATABASE_SESSION],
    ['the errors', `await import('@latchkey/core/errors');`],
    ['a provider', `await import('@latchkey/core/providers/google');`],
    ['the binding of Express', `await import('@latchkey/express');`],
  ] as const)('does not include them for %s', async ([, code]) => {
    const files = await loadedBy(code);
    expect(files.length).toBeGreaterThan(0);
    expect(unneededIn(files)).toEqual([]);
  });

  it.for([
    ['core', 'cookie'],
    ['adapter-sql', 'kysely'],
  ])('includes the license of a bundled library: %s, %s', ([name, dependency]) => {
    const license = readFileSync(
      new URL(`../packages/${name}/dist/licenses/${dependency}.txt`, import.meta.url),
      'utf8',
    );
    expect(license).toContain('Permission is hereby granted');
  });

  it('makes a bundled library a dependency only if the declarations use it', () => {
    expect(dependenciesOf('adapter-sql')['kysely'], 'audits find it').toMatch(/^\d/);
    // SvelteKit 2 builds with the `cookie` in the application's `node_modules`, which must be an older version.
    expect(dependenciesOf('core')).not.toHaveProperty('cookie');
  });
});

function dependenciesOf(name: string): Record<string, string> {
  const manifest = readFileSync(new URL(`../packages/${name}/package.json`, import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { dependencies: Record<string, string> }).dependencies;
}
