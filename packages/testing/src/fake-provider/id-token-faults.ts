import type { IdTokenOverride } from './signing.ts';

const seconds = (value: unknown): number => (typeof value === 'number' ? value : 0);

/**
 * ID tokens that a client must refuse, by what is wrong with them. For `provider.misbehave({ idToken })`, one by one or all in a loop.
 *
 * `badAtHash` and `badCHash` are the provider's business where a client does not look at these claims, the two nonces where it did not
 * ask for one; all others violate OpenID Connect Core §2, §3.1.3.7 or RFC 8725.
 */
export const idTokenFaults: Record<IdTokenFault, IdTokenOverride> = {
  wrongIssuer: { claims: { iss: 'https://impostor.example' } },
  missingIssuer: { claims: { iss: undefined } },
  issuerWithSlash: { claims: (claims) => ({ ...claims, iss: `${claims.iss}/` }) },
  wrongAudience: { claims: { aud: 'another-client' } },
  missingAudience: { claims: { aud: undefined } },
  extraAudienceWithoutAzp: { claims: (claims) => ({ ...claims, aud: [claims.aud, 'another-client'] }) },
  wrongAzp: { claims: (claims) => ({ ...claims, aud: [claims.aud, 'another-client'], azp: 'another-client' }) },
  expired: { claims: (claims) => ({ ...claims, iat: seconds(claims.iat) - 7200, exp: seconds(claims.iat) - 3600 }) },
  missingExpiry: { claims: { exp: undefined } },
  missingIssuedAt: { claims: { iat: undefined } },
  issuedTomorrow: { claims: (claims) => ({ ...claims, iat: seconds(claims.iat) + 86_400 }) },
  notYetValid: { claims: (claims) => ({ ...claims, nbf: seconds(claims.iat) + 3600 }) },
  missingSubject: { claims: { sub: undefined } },
  emptySubject: { claims: { sub: '' } },
  missingNonce: { claims: { nonce: undefined } },
  wrongNonce: { claims: { nonce: 'another-nonce' } },
  badAtHash: { claims: { at_hash: 'AAAAAAAAAAAAAAAAAAAAAA' } },
  badCHash: { claims: { c_hash: 'AAAAAAAAAAAAAAAAAAAAAA' } },
  wrongSignature: { sign: 'wrong-key' },
  cutSignature: { token: (token) => token.slice(0, -6) },
  emptySignature: { token: (token) => token.slice(0, token.lastIndexOf('.') + 1) },
  algNone: { sign: 'none' },
  algNoneInCapitals: { sign: 'none', header: { alg: 'NONE' } },
  /** HS256 keyed with the client secret although the provider signs with a key pair. No fault where the provider is on HS256. */
  algConfusion: { sign: 'client-secret' },
  publicKeyAsSecret: { sign: 'public-key' },
  unlistedAlgorithm: { sign: 'unlisted-algorithm' },
  unknownKeyId: { header: { kid: 'nobody-knows-this-key' }, sign: 'wrong-key' },
  missingKeyId: { header: { kid: undefined }, sign: 'wrong-key' },
  embeddedKey: { sign: 'embedded-key' },
  criticalHeader: { header: { crit: ['latchkey-unknown'], 'latchkey-unknown': true } },
  logoutToken: { claims: { events: { 'http://schemas.openid.net/event/backchannel-logout': {} } } },
  accessToken: { header: { typ: 'at+jwt' } },
  notAToken: { token: () => 'not-a-token' },
};

/** Names of the ready-made faults in {@link idTokenFaults}. */
export type IdTokenFault =
  | 'wrongIssuer'
  | 'missingIssuer'
  | 'issuerWithSlash'
  | 'wrongAudience'
  | 'missingAudience'
  | 'extraAudienceWithoutAzp'
  | 'wrongAzp'
  | 'expired'
  | 'missingExpiry'
  | 'missingIssuedAt'
  | 'issuedTomorrow'
  | 'notYetValid'
  | 'missingSubject'
  | 'emptySubject'
  | 'missingNonce'
  | 'wrongNonce'
  | 'badAtHash'
  | 'badCHash'
  | 'wrongSignature'
  | 'cutSignature'
  | 'emptySignature'
  | 'algNone'
  | 'algNoneInCapitals'
  | 'algConfusion'
  | 'publicKeyAsSecret'
  | 'unlistedAlgorithm'
  | 'unknownKeyId'
  | 'missingKeyId'
  | 'embeddedKey'
  | 'criticalHeader'
  | 'logoutToken'
  | 'accessToken'
  | 'notAToken';
