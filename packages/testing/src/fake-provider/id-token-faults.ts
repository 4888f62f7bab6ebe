import { base64url } from 'jose';
import type { IdTokenOverride } from './id-token.ts';

const seconds = (value: unknown): number => (typeof value === 'number' ? value : 0);

/**
 * ID tokens that a client must refuse, by what is wrong with them. For `provider.overrides.idToken`, one by one or all in a loop.
 *
 * `badAtHash` is the provider's business where a client does not look at `at_hash`; all others violate a "MUST" of OpenID
 * Connect Core §3.1.3.7.
 */
export const idTokenFaults: Record<IdTokenFault, IdTokenOverride> = {
  wrongIssuer: { claims: (claims) => ({ ...claims, iss: 'https://impostor.example' }) },
  missingIssuer: { claims: (claims) => ({ ...claims, iss: undefined }) },
  wrongAudience: { claims: (claims) => ({ ...claims, aud: 'another-client' }) },
  missingAudience: { claims: (claims) => ({ ...claims, aud: undefined }) },
  extraAudienceWithoutAzp: { claims: (claims) => ({ ...claims, aud: [claims.aud, 'another-client'] }) },
  wrongAzp: { claims: (claims) => ({ ...claims, aud: [claims.aud, 'another-client'], azp: 'another-client' }) },
  expired: { claims: (claims) => ({ ...claims, iat: seconds(claims.iat) - 7200, exp: seconds(claims.iat) - 3600 }) },
  missingExpiry: { claims: (claims) => ({ ...claims, exp: undefined }) },
  missingIssuedAt: { claims: (claims) => ({ ...claims, iat: undefined }) },
  notYetValid: { claims: (claims) => ({ ...claims, nbf: seconds(claims.iat) + 3600 }) },
  missingSubject: { claims: (claims) => ({ ...claims, sub: undefined }) },
  missingNonce: { claims: (claims) => ({ ...claims, nonce: undefined }) },
  wrongNonce: { claims: (claims) => ({ ...claims, nonce: 'another-nonce' }) },
  badAtHash: { claims: (claims) => ({ ...claims, at_hash: 'AAAAAAAAAAAAAAAAAAAAAA' }) },
  wrongSignature: { sign: 'wrong-key' },
  algNone: { sign: 'none' },
  /** HS256 keyed with the client secret although the provider signs with a key pair. No fault where the provider is on HS256. */
  algConfusion: { sign: 'client-secret' },
  unknownKeyId: { header: (header) => ({ ...header, kid: 'nobody-knows-this-key' }), sign: 'wrong-key' },
  criticalHeader: { token: (token) => withHeader(token, { crit: ['latchkey-unknown'], 'latchkey-unknown': true }) },
  notAToken: { token: () => 'not-a-token' },
};

/** Names of the ready-made faults in {@link idTokenFaults}. */
export type IdTokenFault =
  | 'wrongIssuer'
  | 'missingIssuer'
  | 'wrongAudience'
  | 'missingAudience'
  | 'extraAudienceWithoutAzp'
  | 'wrongAzp'
  | 'expired'
  | 'missingExpiry'
  | 'missingIssuedAt'
  | 'notYetValid'
  | 'missingSubject'
  | 'missingNonce'
  | 'wrongNonce'
  | 'badAtHash'
  | 'wrongSignature'
  | 'algNone'
  | 'algConfusion'
  | 'unknownKeyId'
  | 'criticalHeader'
  | 'notAToken';

/** Changes the header of a finished token; its signature no longer fits. */
function withHeader(token: string, added: Record<string, unknown>): string {
  const [header = '', ...rest] = token.split('.');
  const read: Record<string, unknown> = JSON.parse(new TextDecoder().decode(base64url.decode(header)));
  return [base64url.encode(JSON.stringify({ ...read, ...added })), ...rest].join('.');
}
