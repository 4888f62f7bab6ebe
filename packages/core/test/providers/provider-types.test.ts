import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const folder = new URL('../../src/providers/', import.meta.url);
/** They describe types, or stand for what an application brings itself. */
const others = ['credentials', 'index', 'oauth', 'provider-types'];

/** Options that most factories require. */
const options = { clientId: 'id', clientSecret: 'secret', issuer: 'https://id.example', server: 'smtp://localhost' };

async function providersOf(...types: string[]): Promise<string[]> {
  const names = readdirSync(folder).map((file) => file.replace(/\.ts$/, ''));
  const made = names
    .filter((name) => !others.includes(name))
    .map(async (name) => {
      const { default: factory } = await import(new URL(`${name}.ts`, folder).href);
      return factory(options) as { id: string; type: string };
    });
  return (await Promise.all(made)).filter(({ type }) => types.includes(type)).map(({ id }) => id);
}

function union(name: string): string[] {
  const source = readFileSync(new URL('provider-types.ts', folder), 'utf8');
  const [, members = ''] = new RegExp(`export type ${name} =([^;]+);`).exec(source) ?? [];
  return [...members.matchAll(/'([^']+)'/g)].map(([, id = '']) => id);
}

describe('provider-types', () => {
  it('names the OAuth and OIDC providers that there are', async () => {
    expect(union('OAuthProviderId').sort()).toEqual((await providersOf('oauth', 'oidc')).sort());
  });

  it('names the providers that mail links', async () => {
    expect(union('EmailProviderId').sort()).toEqual((await providersOf('email')).sort());
  });
});
