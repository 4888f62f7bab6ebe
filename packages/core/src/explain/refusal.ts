import type { AuthError } from '../errors.ts';
import type { RefusalCause } from '../types/cause.ts';

type ByError = RefusalCause | ((error: AuthError) => RefusalCause | undefined);

/** The causes of errors whose type, with its facts, says enough. */
const byType: Readonly<Record<string, ByError>> = {
  AccessDenied: 'access-denied',
  AccountNotLinked: 'account-not-linked',
  AccountReassigned: 'account-not-linked',
  AdapterError: 'store-failed',
  CredentialsSignin: 'credentials',
  EmailCreateAccountError: 'store-failed',
  EmailSignInError: ({ cause }) => (cause?.['reason'] === 'delivery' ? 'mail-failed' : 'address-refused'),
  InvalidCheck: 'flow-missing',
  InvalidProvider: 'provider-unknown',
  MissingCSRF: 'csrf-missing',
  OAuthAccountNotLinked: 'account-not-linked',
  OAuthCallbackError: ({ cause }) => (cause?.['claim'] === undefined ? 'code-refused' : 'id-token-claim'),
  OAuthCreateAccountError: ({ cause }) => (cause?.err ? 'store-failed' : 'email-unverified'),
  OAuthProfileParseError: 'userinfo-refused',
  OAuthSignInError: 'metadata-unreachable',
  RateLimited: 'rate-limited',
  SessionRecordsError: 'store-failed',
  Verification: ({ cause }) => (cause?.['expired'] === true ? 'link-expired' : 'link-used'),
  WebAuthnVerificationError: 'passkey',
};

/** Returns why the request was refused; `undefined` if the error is a fault of the application. */
export function refusalOf(error: AuthError): RefusalCause | undefined {
  if (error.refusal) return error.refusal;
  const known = Object.hasOwn(byType, error.type) ? byType[error.type] : undefined;
  return typeof known === 'function' ? known(error) : known;
}

/** The causes that visitors bring about. The log has one line about them. */
const EXPECTED: ReadonlySet<RefusalCause> = new Set<RefusalCause>([
  'account-not-linked',
  'credentials',
  'csrf-mismatch',
  'csrf-missing',
  'flow-expired',
  'flow-missing',
  'flow-used',
  'link-expired',
  'link-used',
  'origin-mismatch',
  'rate-limited',
]);

/** Returns whether a refusal is expected, and logged as `info`. A `signIn` callback that throws is a fault. */
export function isExpected(error: AuthError): boolean {
  const cause = refusalOf(error);
  if (cause === 'access-denied') return error.cause?.err === undefined;
  return cause !== undefined && EXPECTED.has(cause) && error.type !== 'AccountReassigned';
}
