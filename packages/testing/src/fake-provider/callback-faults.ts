import type { CallbackParameters } from './authorize.ts';

/**
 * Authorization responses that a client must refuse, by what is wrong with them. For `provider.misbehave({ callback })`.
 *
 * `missingIssuer` is a fault where the provider promises `iss` (RFC 9207 §2.4), as it does unless `issParameter` is false; the two
 * without a right `state` are faults of providers that echo it, as RFC 6749 §4.1.2 demands.
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
  unknownCode: { code: 'a-code-of-nobody' },
  codeTwice: { code: ['one-code', 'another-code'] },
  stateTwice: { state: ['one-state', 'another-state'] },
  issuerTwice: { iss: ['https://idp.test', 'https://impostor.example'] },
  errorAndCode: { error: 'access_denied' },
  /** Answers of other response types (implicit and hybrid flow): nobody asked for them (RFC 9700 §2.1.2). */
  idTokenInAddress: { id_token: 'a.b.c' },
  accessTokenInAddress: { access_token: 'a-token', token_type: 'Bearer' },
  /** JARM, which nobody asked for either. */
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
