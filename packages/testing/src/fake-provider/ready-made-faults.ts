import type { CallbackParameters } from './authorize.ts';
import type { Fault } from './misbehavior.ts';
import type { IdTokenOverride } from './signed-tokens.ts';

/** One byte more than the 1 MiB that Latchkey reads of a response. */
const TOO_MUCH = 1_048_577;

/**
 * Responses that are not valid at any endpoint. For `provider.misbehave({ discovery })`, `jwks`, `token` and
 * `userinfo`.
 *
 * These faults do not make a client wait. For slow responses use `{ delay: 'forever' }` and `{ drip: 1000 }`.
 * Latchkey's deadline is 10 seconds.
 */
export const answerFaults: Record<AnswerFault, Fault> = {
  serverError: { status: 500 },
  unavailable: { status: 503, body: '<h1>Down for maintenance</h1>', headers: { 'content-type': 'text/html' } },
  tooManyRequests: { status: 429, body: '', headers: { 'retry-after': '60' } },
  forbidden: { status: 403 },
  notFound: { status: 404, body: 'not found', headers: { 'content-type': 'text/plain' } },
  noContent: { status: 204 },
  empty: { body: '' },
  page: { body: '<!doctype html><h1>Welcome</h1>', headers: { 'content-type': 'text/html' } },
  pageCalledJson: { body: '<!doctype html><h1>Welcome</h1>' },
  null: { body: 'null' },
  list: { body: '[{"sub":"victim"}]' },
  text: { body: '"victim"' },
  brokenJson: { body: '{"issuer":"https://idp.test"' },
  otherEncoding: { body: new Uint8Array([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]) },
  cut: { cut: 10 },
  reset: { throw: true },
  tooLong: { padding: TOO_MUCH },
  endless: { endless: true },
  redirect: { redirect: 'https://elsewhere.example/' },
  redirectInside: { redirect: 'http://169.254.169.254/latest/meta-data/' },
  redirectWithBody: { redirect: 'https://elsewhere.example/', status: 307 },
};

/** Names of the ready-made faults in {@link answerFaults}. */
export type AnswerFault =
  | 'serverError'
  | 'unavailable'
  | 'tooManyRequests'
  | 'forbidden'
  | 'notFound'
  | 'noContent'
  | 'empty'
  | 'page'
  | 'pageCalledJson'
  | 'null'
  | 'list'
  | 'text'
  | 'brokenJson'
  | 'otherEncoding'
  | 'cut'
  | 'reset'
  | 'tooLong'
  | 'endless'
  | 'redirect'
  | 'redirectInside'
  | 'redirectWithBody';

/**
 * Discovery documents that a client must refuse (OpenID Connect Discovery §4.3). For `provider.misbehave({ discovery
 * })`.
 */
export const discoveryFaults: Record<DiscoveryFault, Fault> = {
  wrongIssuer: { json: { issuer: 'https://impostor.example' } },
  missingIssuer: { json: { issuer: undefined } },
  issuerWithPath: { json: ({ issuer, ...rest }) => ({ ...rest, issuer: `${issuer}/tenant` }) },
  issuerAsList: { json: ({ issuer, ...rest }) => ({ ...rest, issuer: [issuer] }) },
  scriptAddress: { json: { authorization_endpoint: 'javascript:alert(1)' } },
  plainHttp: { json: { token_endpoint: 'http://idp.test/token' } },
};

/** Names of the ready-made faults in {@link discoveryFaults}. */
export type DiscoveryFault =
  | 'wrongIssuer'
  | 'missingIssuer'
  | 'issuerWithPath'
  | 'issuerAsList'
  | 'scriptAddress'
  | 'plainHttp';

/**
 * Token responses that a client must refuse (RFC 6749 §5.1, OpenID Connect Core §3.1.3.3). For `provider.misbehave({
 * token })`.
 */
export const tokenFaults: Record<TokenFault, Fault> = {
  missingAccessToken: { json: { access_token: undefined } },
  emptyAccessToken: { json: { access_token: '' } },
  accessTokenAsNumber: { json: { access_token: 7 } },
  missingType: { json: { token_type: undefined } },
  unknownType: { json: { token_type: 'mac' } },
  /** Sender-constrained (RFC 9449): a client without a key cannot use it. */
  boundType: { json: { token_type: 'DPoP' } },
  nonsenseLifetime: { json: { expires_in: 'soon' } },
  missingIdToken: { json: { id_token: undefined } },
  idTokenAsObject: { json: { id_token: {} } },
  errorWith200: { body: { error: 'invalid_grant' } },
  refusal: { status: 400, body: { error: 'invalid_grant', error_description: 'no' } },
  unauthorized: { status: 401, body: { error: 'invalid_client' }, headers: { 'www-authenticate': 'Basic realm="x"' } },
};

/** Names of the ready-made faults in {@link tokenFaults}. */
export type TokenFault =
  | 'missingAccessToken'
  | 'emptyAccessToken'
  | 'accessTokenAsNumber'
  | 'missingType'
  | 'unknownType'
  | 'boundType'
  | 'nonsenseLifetime'
  | 'missingIdToken'
  | 'idTokenAsObject'
  | 'errorWith200'
  | 'refusal'
  | 'unauthorized';

/**
 * Userinfo responses that a client must refuse (OpenID Connect Core §5.3.2). For `provider.misbehave({ userinfo })`.
 * They have no effect if the client takes the claims from the ID token.
 */
export const userinfoFaults: Record<UserinfoFault, Fault> = {
  otherSubject: { json: { sub: 'another-user' } },
  missingSubject: { json: { sub: undefined } },
  emptySubject: { json: { sub: '' } },
  subjectAsNumber: { json: { sub: 7 } },
  unauthorized: { status: 401, body: { error: 'invalid_token' }, headers: { 'www-authenticate': 'Bearer' } },
  profileWith401: { status: 401 },
};

/** Names of the ready-made faults in {@link userinfoFaults}. */
export type UserinfoFault =
  | 'otherSubject'
  | 'missingSubject'
  | 'emptySubject'
  | 'subjectAsNumber'
  | 'unauthorized'
  | 'profileWith401';

/**
 * Authorization responses that a client must refuse, by their faults. For `provider.misbehave({ callback })`.
 *
 * `missingIssuer` is a fault if the provider's metadata promises `iss` (RFC 9207 §2.4), as it does unless
 * `issParameter` is false. The two faults of `state` violate RFC 6749 §4.1.2.
 */
export const callbackFaults: Record<CallbackFault, CallbackParameters> = {
  wrongIssuer: { iss: 'https://impostor.example' },
  issuerWithSlash: { iss: 'https://idp.test/' },
  emptyIssuer: { iss: '' },
  missingIssuer: { iss: undefined },
  wrongState: { state: 'another-state' },
  emptyState: { state: '' },
  missingCode: { code: undefined },
  emptyCode: { code: '' },
  unknownCode: { code: 'an-unknown-code' },
  codeTwice: { code: ['one-code', 'another-code'] },
  stateTwice: { state: ['one-state', 'another-state'] },
  issuerTwice: { iss: ['https://idp.test', 'https://impostor.example'] },
  errorAndCode: { error: 'access_denied' },
  /**
   * Responses of other response types (implicit and hybrid flow), which the client did not request (RFC 9700 §2.1.2).
   */
  idTokenInAddress: { id_token: 'a.b.c' },
  accessTokenInAddress: { access_token: 'a-token', token_type: 'Bearer' },
  /** JARM, which the client did not request. */
  signedResponse: { response: 'a.b.c' },
};

/** Names of the ready-made faults in {@link callbackFaults}. */
export type CallbackFault =
  | 'wrongIssuer'
  | 'issuerWithSlash'
  | 'emptyIssuer'
  | 'missingIssuer'
  | 'wrongState'
  | 'emptyState'
  | 'missingCode'
  | 'emptyCode'
  | 'unknownCode'
  | 'codeTwice'
  | 'stateTwice'
  | 'issuerTwice'
  | 'errorAndCode'
  | 'idTokenInAddress'
  | 'accessTokenInAddress'
  | 'signedResponse';

const seconds = (value: unknown): number => (typeof value === 'number' ? value : 0);

/**
 * ID tokens that a client must refuse, by their faults. For `provider.misbehave({ idToken })`, one by one or in a loop.
 *
 * A client may ignore `badAtHash` and `badCHash`, and the two nonces unless it has sent one. All others violate OpenID
 * Connect Core §2, §3.1.3.7 or RFC 8725.
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
  /**
   * HS256 with the client secret, although the provider signs with a key pair. Not a fault if the provider uses HS256.
   */
  algConfusion: { sign: 'client-secret' },
  publicKeyAsSecret: { sign: 'public-key' },
  unlistedAlgorithm: { sign: 'unlisted-algorithm' },
  unknownKeyId: { header: { kid: 'unknown-key' }, sign: 'wrong-key' },
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
