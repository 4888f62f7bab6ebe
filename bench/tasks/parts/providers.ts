import { readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadPeer } from '../../../test/peers/load.ts';
import type { FamilyName } from '../../peers/family.ts';

type Factory = (options: object) => { type: string };

/** Ids of providers that both libraries have and that need nothing but a client id and perhaps an issuer. */
const UNUSABLE: ReadonlySet<string> = new Set([
  'index',
  'oauth',
  'provider-types',
  'credentials',
  'email',
  'webauthn',
  'passkey',
]);

/** So many of a library's ready providers, in the order of their ids; GitHub first. Where there are not enough, some come twice. */
export async function providersOf(name: FamilyName, count: number): Promise<object[]> {
  const folder = dirname(fileURLToPath(import.meta.resolve('@latchkey/core/providers/github')));
  const ids = readdirSync(folder)
    .filter((file) => file.endsWith('.js'))
    .map((file) => file.slice(0, -3));
  const found: object[] = [];
  for (const suffix of ['', '-again']) {
    for (const id of ['github', ...ids.filter((id) => id !== 'github' && !UNUSABLE.has(id))]) {
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
    return undefined; // the peer has none of this id, or it needs more
  }
}
