import type { Facts } from './facts.ts';

/** Returns `provider-types.ts`, which declares the unions of ids. */
export function typesFile(facts: readonly Facts[]): string {
  const ids = (...types: Facts['type'][]): string[] =>
    facts.filter(({ type }) => types.includes(type)).map(({ id }) => id);
  return `// Written by \`npm run providers\` from the files of this folder.

/** Ids of the built-in OAuth and OIDC providers. */
${union('OAuthProviderId', ids('oauth', 'oidc'))}

/** Ids of the built-in providers that send sign-in links by email. */
${union('EmailProviderId', ids('email'))}
`;
}

/** Returns a quoted id, one per line, in the style of the formatter. */
function union(name: string, ids: readonly string[]): string {
  const members = ids.toSorted().map((id) => `'${id}'`);
  const line = `export type ${name} = ${members.join(' | ')};`;
  return line.length <= 120 ? line : `export type ${name} =\n  | ${members.join('\n  | ')};`;
}
