import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** The alias, and the same for the core of this repository. */
const [published, own] = ['npm:@latchkey/core@^0.1.0', 'file:../../../packages/core'];

describe('the alias of @auth/core', () => {
  it('is installed here as the guide says', () => {
    const [, sample = ''] = /^```json\n([\s\S]*?)^```$/m.exec(read('docs/guides/wrappers-of-authjs.md')) ?? [];
    expect(JSON.parse(read('test/peers/hono-auth-js/package.json'))).toMatchObject(
      JSON.parse(sample.replace(published, own)),
    );
  });

  it.each(['hono-auth-js', 'auth-astro', 'auth-solid-start', 'auth-qwik'])(
    'is the only core of the peer %s',
    (peer) => {
      const { packages } = JSON.parse(read(`test/peers/${peer}/package-lock.json`));
      const cores = Object.entries(packages).filter(([path]) => path.endsWith('@auth/core'));
      expect(cores).toEqual([['node_modules/@auth/core', { resolved: '../../../packages/core', link: true }]]);
      const { dependencies } = JSON.parse(read(`test/peers/${peer}/package.json`));
      const table = read('docs/guides/wrappers-of-authjs.md');
      const [wrapper = '', version] =
        Object.entries(dependencies).find(([name]) => table.includes(`| \`${name}\` |`)) ?? [];
      expect(table).toContain(`| \`${wrapper}\` | ${version}`);
    },
  );
});
