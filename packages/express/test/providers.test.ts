import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const core = new URL('../../core/src/providers/', import.meta.url);
/** The bindings' own files are derived: `npx vitest run -u packages/express/test/providers.test.ts` writes them anew. */
const bindings = ['express', 'next', 'sveltekit'];

function entryOf(name: string): string {
  const specifier = `'@latchkey/core/providers/${name}'`;
  return `export * from ${specifier};\nexport { default } from ${specifier};\n`;
}

const names = await Promise.all(
  namesIn(core).map(async (name) => ('default' in (await import(new URL(`${name}.ts`, core).href)) ? [name] : [])),
).then((lists) => lists.flat());

describe.each(bindings)('@latchkey/%s/providers', (binding) => {
  const own = new URL(`../../${binding}/src/providers/`, import.meta.url);

  it.each(names)('has %s', async (name) => {
    await expect(entryOf(name)).toMatchFileSnapshot(fileURLToPath(new URL(`${name}.ts`, own)));
  });

  it('has no others', () => {
    expect(namesIn(own).filter((name) => name !== 'index' && !names.includes(name))).toEqual([]);
  });
});

function namesIn(folder: URL): string[] {
  return readdirSync(folder)
    .map((file) => file.replace(/\.ts$/, ''))
    .sort();
}
