import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { family, own } from './family.ts';
import { factoryOf, providerNames } from './providers.ts';

const folder = new URL('../../src/providers/', import.meta.url);

/** The same vendor under another id: the one file of its own that a file may load. */
const aliases: Record<string, string> = {
  'azure-ad': 'microsoft-entra-id',
  email: 'nodemailer',
  passkey: 'webauthn',
};

describe.each(providerNames)('the provider file %s', (name) => {
  const source = readFileSync(new URL(`${name}.ts`, folder), 'utf8');

  it('has an id, a name, a type and a factory, the same as in Auth.js v5 if that has the provider', async () => {
    const factory = await factoryOf(name);
    const { id, name: shown, type } = factory({ server: 'smtp://localhost', apiKey: 'key' });
    expect([id, shown, type, factory.name]).toEqual(family[name] ?? own[name]);
  });

  it('loads only its mark, a file that it shares with others, and the function for mails', () => {
    const loaded = [...source.matchAll(/^import (?!type )[^;]*? from '([^']+)';$/gms)].map(([, path]) => path);
    const allowed = ['simple-icons', './oauth.ts', '../errors.ts', '../mail/sent-by.ts', `./${aliases[name]}.ts`];
    const isMark = (path: string): boolean => path.startsWith('../marks/');
    expect(loaded.filter((path) => path && !allowed.includes(path) && !isMark(path))).toEqual([]);
  });

  it('exports the type of its profile, or of its options', () => {
    expect(source).toMatch(/^export (interface|type) (\{[^}]*\b)?\w+(Profile|Config|UserConfig)\b/m);
  });

  it("leaves the application's `fetch` alone", () => {
    expect(source).not.toContain('customFetch');
  });
});
