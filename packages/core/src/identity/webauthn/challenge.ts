import { equal, randomBase64Url } from '../../crypto/bytes.ts';
import { sha256Base64Url } from '../../crypto/hash.ts';
import { InvalidCheck } from '../../errors.ts';
import type { ChallengeClaims } from '../../pending/kinds.ts';
import type { User } from '../../types/user.ts';
import type { Ceremony, WebAuthnProvider } from './provider.ts';

/** A challenge, and the ceremony that it was issued for. The members have the names of the wire format. */
export interface Challenge {
  /** The random bytes, base64url. */
  readonly challenge: string;
  readonly ceremony: Ceremony;
  /** Id of the user who was signed in; `undefined` if the visitor was signed out. */
  readonly by?: string | undefined;
  /** Hash of the user who was named, see {@link hashOfUser}; `undefined` if any user's passkey is accepted. */
  readonly user?: string | undefined;
  /** The user that a registration is for. */
  readonly registerData?: Partial<User> | undefined;
  /** The id of a new user. */
  readonly newId?: string | undefined;
  /** A user of this name exists already, so the registration will be refused. */
  readonly taken?: boolean | undefined;
}

/**
 * Reads the claims of a challenge. Auth.js v5 does not name the ceremony: it is a registration if there is a user to
 * register.
 */
export function readChallenge(claims: ChallengeClaims): Challenge {
  const { challenge, ceremony, registerData, by, user, newId, taken } = claims;
  const data: Partial<User> | undefined =
    typeof registerData === 'object' && registerData !== null ? registerData : undefined;
  const isOwn = ceremony !== undefined;
  const startedBy = isOwn ? by : data?.id;
  return {
    challenge,
    ceremony: (isOwn ? ceremony === 'register' : data !== undefined) ? 'register' : 'authenticate',
    registerData: data,
    by: startedBy === undefined || startedBy === null ? undefined : String(startedBy),
    user: textOf(user),
    newId: textOf(newId),
    taken: taken === true,
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** @throws {InvalidCheck} if the challenge was issued for the other ceremony. */
export function checkCeremony(provider: WebAuthnProvider, challenge: Challenge, ceremony: Ceremony): void {
  if (challenge.ceremony === ceremony) return;
  throw new InvalidCheck('the challenge was made for the other ceremony', { provider: provider.id, check: 'ceremony' });
}

/** Returns the hash by which a challenge names a user. */
export async function hashOfUser(userId: unknown): Promise<string> {
  return sha256Base64Url(`webauthn user ${String(userId)}`);
}

/** Returns a hash of the same form that belongs to no user, for a name that the store does not know. */
export function decoyHash(): string {
  return randomBase64Url(32);
}

/** Returns whether a challenge's hash names this user. */
export async function isHashOfUser(hash: string, userId: unknown): Promise<boolean> {
  return equal(hash, await hashOfUser(userId));
}
