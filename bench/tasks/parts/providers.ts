import { readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadPeer } from '../../../test/peers/load.ts';
import type { FamilyName } from '../../peers/family.ts';

type Factory = (options: object) => { type: string };

/** Files of `providers/` that are not OAuth providers. */
const NOT_OAUTH: ReadonlySet<string> = new Set([
  'index',
  'oauth',
  'provider-types',
  'credentials',
  'email',
  'webauthn',
  'passkey',
]);

/**
 * Returns a number of a library's built-in providers, by id, with GitHub first. If there are too few, some occur twice.
 */
export async function providersOf(name: FamilyName, count: number): Promise<object[]> {
  const folder = dirname(fileURLToPath(import.meta.resolve('@latchkey/core/providers/github')));
  const ids = readdirSync(folder)
    .filter((file) => file.endsWith('.js'))
    .map((file) => file.slice(0, -3));
  const found: object[] = [];
  for (const suffix of ['', '-again']) {
    for (const id of ['github', ...ids.filter((id) => id !== 'github' && !NOT_OAUTH.has(id))]) {
      if (found.length === count) return found;
      const provider = await providerOf(name, id, suffix);
      if (provider && ['oauth', 'oidc'].includes(provider.type)) found.push(provider);
    }
  }
  throw new Error(`only ${found.length} providers`);
}

async function providerOf(name: FamilyName, id: string, suffix: string): Promise<{ type: string } | undefined> {
  try {
    const { default: factory } =
      name === 'latchkey'
        ? ((await import(`@latchkey/core/providers/${id}`)) as { default: Factory })
        : await loadPeer<{ default: Factory }>('authjs', `@auth/core/providers/${id}`);
    const own = suffix === '' ? {} : { id: `${id}${suffix}` };
    return factory({ clientId: 'id', clientSecret: 'secret', issuer: 'https://issuer.example/', ...own });
  } catch {
    return undefined; // the peer does not have this provider, or it requires more options
  }
}
