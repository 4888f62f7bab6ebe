import type { VerificationToken } from '../../adapters.ts';
import { errorOf } from '../../config/hooks.ts';
import { need } from '../../config/need.ts';
import type { Settings } from '../../config/settings.ts';
import type { Store } from '../../config/store.ts';
import { sha256Hex } from '../../crypto/sha256-hex.ts';
import { Verification } from '../../errors.ts';
import type { EmailConfig } from '../../providers/email.ts';
import { ownIdentifier } from './address.ts';

/** What a link carries. */
export interface Link {
  readonly token: string;
  /** Absent where the application's mail leaves it out: its store finds who it was mailed to by the token alone. */
  readonly email: string | undefined;
}

/** What the store keeps of a mailed token: its hash with the newest secret. */
export async function tokenHash(token: string, provider: EmailConfig, settings: Settings): Promise<string> {
  return sha256Hex(token + (provider.secret ?? settings.secrets[0] ?? ''));
}

/**
 * Takes a mailed token out of the store, which lets it be taken once. Hashes of older secrets, and of a comma-joined list of
 * them, are looked for, too: links that are on their way survive a change of the secret.
 *
 * @returns `null` when there is no such token, or it was mailed to another address.
 */
export async function spendToken(
  store: Store,
  link: Link,
  provider: EmailConfig,
  settings: Settings,
): Promise<VerificationToken | null> {
  const secrets = provider.secret === undefined ? settings.secretForms : [provider.secret];
  for (const secret of secrets) {
    const hash = await sha256Hex(link.token + secret);
    const found = await take(store, link.email, hash);
    if (found) return isOf(found, link.email, hash) ? found : null;
  }
  return null;
}

/** Most stores look up by address and token, and some of them throw without the address: such a link leads nowhere. */
async function take(store: Store, identifier: string | undefined, token: string): Promise<VerificationToken | null> {
  const use = need(store, 'useVerificationToken');
  if (identifier !== undefined) return use({ identifier, token });
  try {
    // `as`: stores that can do without the address are told so by its absence, as everywhere in the family.
    return await use({ identifier: undefined, token } as unknown as Parameters<typeof use>[0]);
  } catch (error) {
    throw new Verification('the store finds no token without the address', { err: errorOf(error) });
  }
}

/** A store that looks up by the token alone must not let one address use another's link, nor one by the address any token. */
function isOf(found: VerificationToken, identifier: string | undefined, hash: string): boolean {
  // Nothing but the row says who it is then.
  if (identifier === undefined) return found.token === hash && ownIdentifier(found.identifier) !== undefined;
  return found.identifier === identifier && (found.token === undefined || found.token === hash);
}
