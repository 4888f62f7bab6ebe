import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { budgets, bundleSizes } from '../bench/other/bundle.ts';
import { asking } from '../bench/other/child.ts';
import { loadedBy, moduleFigures, unneededIn } from '../bench/other/modules.ts';

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

describe('what browsers and workers have to load', async () => {
  const sizes = await bundleSizes();
  it.for(Object.entries(budgets()))('%s stays within its budget', ([name, { most }]) => {
    const size = sizes[name as keyof typeof sizes];
    expect(size, 'bytes, gzipped').toBeGreaterThan(0);
    expect(size, 'more than bench/budgets.json allows').toBeLessThanOrEqual(most);
  });

  it('is split: a session needs less than half', () => {
    expect(sizes.session).toBeLessThan(sizes.whole / 2);
  });

  it('is loaded when it is wanted: a session has no need of pages, OAuth, WebAuthn or mail', async () => {
    const [files, unneeded] = await moduleFigures();
    expect(files?.value).toBeGreaterThan(2);
    expect(unneeded).toMatchObject({ value: 0, parts: {} });
  });

  it.for([
    [
      'a session',
      `${asking('latchkey')} await ask();`,
      ['core/index', 'core/parts/session', 'core/providers/github', 'core/jwt'],
    ],
    ['a provider', `await import('@latchkey/core/providers/github');`, ['core/providers/github']],
    [
      'Express',
      `await import('@latchkey/express');`,
      ['express/index', 'core/index', 'core/parts/session', 'core/errors', 'core/parts/errors', 'core/binding'],
    ],
    ['a database', `await import('@latchkey/adapter-sql');`, ['adapter-sql/index']],
    ['Redis', `await import('@latchkey/adapter-redis');`, ['adapter-redis/index']],
  ] as const)('nothing else is read for %s', async ([, code, expected]) => {
    const files = await loadedBy(code);
    expect(files.map((url) => url.replace(/^.*packages\//, '').replace('/dist/', '/')).sort()).toEqual(
      expected.map((name) => `${name}.js`).sort(),
    );
  });

  it.for([
    ['a session without node:crypto', `process.getBuiltinModule = () => undefined; ${asking('latchkey')} await ask();`],
    ['a session of a database', DATABASE_SESSION],
    ['the errors', `await import('@latchkey/core/errors');`],
    ['tokens', `await import('@latchkey/core/jwt');`],
    ['a provider', `await import('@latchkey/core/providers/google');`],
    ['the binding of Express', `await import('@latchkey/express');`],
  ] as const)('is not loaded by %s either', async ([, code]) => {
    const files = await loadedBy(code);
    expect(files.length).toBeGreaterThan(0);
    expect(unneededIn(files)).toEqual([]);
  });

  it.for([
    ['core', 'cookie'],
    ['adapter-sql', 'kysely'],
  ])('comes with the licence of others: %s has code of %s', ([name, dependency]) => {
    const license = readFileSync(
      new URL(`../packages/${name}/dist/licenses/${dependency}.txt`, import.meta.url),
      'utf8',
    );
    expect(license).toContain('Permission is hereby granted');
  });

  it('installs a library beside its code only where declarations use it', () => {
    expect(dependenciesOf('adapter-sql')['kysely'], 'found by whoever audits').toMatch(/^\d/);
    // SvelteKit 2 builds with whichever `cookie` is in the application's `node_modules`, and can only do with an older one.
    expect(dependenciesOf('core')).not.toHaveProperty('cookie');
  });
});

function dependenciesOf(name: string): Record<string, string> {
  const manifest = readFileSync(new URL(`../packages/${name}/package.json`, import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { dependencies: Record<string, string> }).dependencies;
}
