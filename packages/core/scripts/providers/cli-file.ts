import type { Facts } from './facts.ts';

/** Returns `packages/cli/src/provider-facts.ts`, the list that `latchkey providers` prints. */
export function cliFile(facts: readonly Facts[]): string {
  const rows = facts.map(({ id, name, file, factory, type, env, scopes, register, issuer, see }) =>
    JSON.stringify({ id, name, file, factory, type, env, scopes, register, issuer, see }),
  );
  return `// Written by \`npm run providers\` from packages/core/src/providers.

/** The facts that one needs to set a provider up. */
export interface ProviderFacts {
  readonly id: string;
  readonly name: string;
  /** Name of its file, without extension. */
  readonly file: string;
  /** Name of the factory. */
  readonly factory: string;
  readonly type: string;
  /** Suffixes of the variables \`AUTH_<ID>_…\` that the provider reads. */
  readonly env: readonly string[];
  readonly scopes: string;
  /** How to register an application. */
  readonly register: string;
  /** The form of the issuer. */
  readonly issuer?: string;
  /** The vendor's documentation. */
  readonly see: readonly string[];
}

/** The built-in providers, sorted by name. */
export const providers: readonly ProviderFacts[] = JSON.parse(String.raw\`[
${rows.map((row) => row.replaceAll('`', '\\u0060').replaceAll('${', '$\\u007b')).join(',\n')}
]\`);
`;
}
