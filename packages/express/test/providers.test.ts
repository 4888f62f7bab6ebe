import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const packages = new URL('../../', import.meta.url);
const filesIn = (folder: string): string[] => readdirSync(fileURLToPath(new URL(folder, packages)));

/** Files of core's folder that hold no provider. */
const others = ['index.ts', 'oauth.ts', 'provider-types.ts'];
const ids = filesIn('core/src/providers').filter((file) => !others.includes(file));

describe.each(['express', 'next', 'sveltekit'])('@latchkey/%s/providers, as built', (binding) => {
  it('has each provider of core and no other file', () => {
    const expected = ids.flatMap((file) => [file.replace(/ts$/, 'js'), file.replace(/ts$/, 'd.ts')]);
    expect(filesIn(`${binding}/dist/providers`).sort()).toEqual([...expected, 'index.d.ts', 'index.js'].sort());
  });

  it('hands on the provider of core', async () => {
    const built = new URL(`${binding}/dist/providers/github.js`, packages).href;
    const [own, core] = await Promise.all([import(built), import('@latchkey/core/providers/github')]);
    expect(own.default).toBe(core.default);
  });
});
