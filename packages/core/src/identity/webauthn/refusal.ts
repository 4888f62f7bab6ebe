import { errorOf } from '../../config/hooks.ts';
import { WebAuthnVerificationError } from '../../errors.ts';
import type { WebAuthnProvider } from './provider.ts';

/** An answer that is not accepted. The visitor is told one thing whatever the reason; the log is told the reason. */
export function refusal(provider: WebAuthnProvider, reason: string, thrown?: unknown): WebAuthnVerificationError {
  const err = thrown === undefined ? {} : { err: errorOf(thrown) };
  return new WebAuthnVerificationError(reason, { provider: provider.id, ...err });
}
