import type { VerificationToken } from '../../adapters.ts';
import { need } from '../../config/need.ts';
import type { Settings } from '../../config/settings.ts';
import type { Store } from '../../config/store.ts';
import { sha256Hex } from '../../crypto/sha256-hex.ts';
import type { EmailConfig } from '../../providers/email.ts';

/** What the store keeps of a mailed token: its hash with the newest secret. */
export async function tokenHash(token: string, provider: EmailConfig, settings: Settings): Promise<string> {
  return sha256Hex(token + (provider.secret ?? settings.secrets[0] ?? ''));
}

/**
 * Takes a mailed token out of the store, which lets it be taken once. Hashes of older secrets, and of a comma-joined list of
 * them, are looked for, too: links that are on their way survive a change of the secret.
 */
export async function spendToken(
  store: Store,
  invite: { identifier: string; token: string },
  provider: EmailConfig,
  settings: Settings,
): Promise<VerificationToken | null> {
  const { identifier, token } = invite;
  const secrets = provider.secret === undefined ? settings.secretForms : [provider.secret];
  for (const secret of secrets) {
    const hash = await sha256Hex(token + secret);
    const found = await need(store, 'useVerificationToken')({ identifier, token: hash });
    // A store that looks up by the token alone must not let one address use another's link.
    if (found && found.identifier === identifier && (found.token === undefined || found.token === hash)) return found;
    if (found) return null;
  }
  return null;
}
