import { waysByAddress } from '../config/provider.ts';
import type { Settings } from '../config/settings.ts';
import type { Context } from '../context.ts';
import type { Proof } from '../identity/proof.ts';
import type { UnverifiedEmail } from '../providers/oauth.ts';
import type { WebAuthnConfig } from '../providers/webauthn.ts';
import type { EmailStatus } from '../types/user.ts';

/** Facts about the address of a new account. */
export interface UnprovenFacts {
  /** `undefined`: the account has no address. */
  readonly status: EmailStatus | undefined;
  /** The option of the provider. */
  readonly unverifiedEmail: UnverifiedEmail | undefined;
  /** A provider mails links. */
  readonly hasEmailProvider: boolean;
  /** A provider links by address, and the provider of this account may not do so itself. */
  readonly linksByAddress: boolean;
}

/** `verify`: a mail must prove the address before a user is created. */
export type UnprovenResult = 'proceed' | 'verify' | 'refuse';

/**
 * Decides about a new account whose address may not be proven. An attacker could create a user under another person's
 * address. That person would join the user later, by a mailed link or by a provider that links by address.
 *
 * The rows are in `unproven.test.ts`, one test per row.
 */
export function decideUnproven(facts: UnprovenFacts): UnprovenResult {
  const { status, unverifiedEmail, hasEmailProvider, linksByAddress } = facts;
  if (status === undefined || status === 'verified') return 'proceed';
  if (unverifiedEmail === 'allow') return 'proceed';
  if (unverifiedEmail === 'refuse') return 'refuse';
  if (hasEmailProvider) return 'verify';
  // The check of the configuration reports `verify` without an email provider.
  if (unverifiedEmail === 'verify' || status === 'unverified') return 'refuse';
  return linksByAddress ? 'refuse' : 'proceed';
}

/**
 * Whether a sign-in can wait until a mail has proven its address. It cannot yet, so `verify` ends as a refusal. Until
 * then, an account whose provider does not tell anything about its addresses creates a user, as in Auth.js v5.
 */
const CAN_VERIFY: boolean = false;

/** Decides about the address of a proven account, as if the account were new. */
export function unprovenResult({ settings, origin, basePath }: Context, proof: Proof): UnprovenResult {
  const { emailStatus: status, emailVerification, unverifiedEmail, mayLinkByEmail } = proof;
  const ways = waysByAddress(settings, origin + basePath);
  // With `allowDangerousEmailAccountLinking`, the owner trusts the provider with existing users, so also with new ones.
  const linksByAddress = ways.linksByAddress && !mayLinkByEmail;
  const result = decideUnproven({ ...ways, status, unverifiedEmail, linksByAddress });
  const isUntold = status === 'unknown' && emailVerification === undefined && unverifiedEmail === undefined;
  if (result !== 'verify' || !isUntold || CAN_VERIFY) return result;
  return linksByAddress ? 'refuse' : 'proceed';
}

/** Returns whether a visitor who is signed out can create a user with a passkey and a typed address. */
export function mayTypeAddress(settings: Settings, base: string, { unverifiedEmail }: WebAuthnConfig): boolean {
  return decideUnproven({ ...waysByAddress(settings, base), status: 'unknown', unverifiedEmail }) === 'proceed';
}
