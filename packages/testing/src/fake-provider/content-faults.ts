import type { Fault } from './faults.ts';

/** Discovery documents that a client must refuse (OpenID Connect Discovery §4.3). For `provider.misbehave({ discovery })`. */
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

/** Token responses that a client must refuse (RFC 6749 §5.1, OpenID Connect Core §3.1.3.3). For `provider.misbehave({ token })`. */
export const tokenFaults: Record<TokenFault, Fault> = {
  missingAccessToken: { json: { access_token: undefined } },
  emptyAccessToken: { json: { access_token: '' } },
  accessTokenAsNumber: { json: { access_token: 7 } },
  missingType: { json: { token_type: undefined } },
  unknownType: { json: { token_type: 'mac' } },
  /** Sender-constrained (RFC 9449): worth nothing to a client that has no key of its own. */
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
 * Userinfo answers that a client must refuse (OpenID Connect Core §5.3.2). For `provider.misbehave({ userinfo })`; they are no faults
 * where the claims are taken from the ID token and nobody asks.
 */
export const userinfoFaults: Record<UserinfoFault, Fault> = {
  otherSubject: { json: { sub: 'somebody-else' } },
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
