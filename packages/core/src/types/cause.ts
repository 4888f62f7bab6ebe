/** Why a request has no session, as the code that reads the session decides it. */
export type NoSession =
  | 'cookie-missing'
  | 'cookie-unreadable'
  | 'token-expired'
  | 'row-missing'
  | 'row-expired'
  | 'session-ended'
  | 'store-failed'
  | 'legacy-failed'
  | 'legacy-refused'
  | 'jwt-callback-null'
  | 'jwt-callback-threw'
  | 'session-callback-empty'
  | 'session-callback-threw';

/** Why a request has no session: a {@link NoSession}, or what the request and the configuration tell about it. */
export type SessionCause =
  | NoSession
  | 'configuration'
  | 'host-untrusted'
  | 'base-path'
  | 'prerendering'
  | 'cookie-prefix'
  | 'cookie-of-other-library'
  | 'cookie-incomplete'
  | 'strategy-mismatch';

/** Why a form was refused, as the check of its origin decides it. */
export type FormRefusal = 'csrf-missing' | 'csrf-mismatch' | 'origin-mismatch';

/** Why a request was refused. */
export type RefusalCause =
  | FormRefusal
  | 'method'
  | 'provider-unknown'
  | 'rate-limited'
  | 'flow-missing'
  | 'flow-expired'
  | 'flow-used'
  | 'flow-of-other-browser'
  | 'provider-error'
  | 'code-refused'
  | 'client-refused'
  | 'metadata-unreachable'
  | 'metadata-issuer'
  | 'id-token-claim'
  | 'clock'
  | 'userinfo-refused'
  | 'email-unverified'
  | 'account-not-linked'
  | 'access-denied'
  | 'credentials'
  | 'link-used'
  | 'link-expired'
  | 'passkey'
  | 'address-refused'
  | 'mail-failed'
  | 'store-failed';

/** Why a request has no session, or was refused. `docs/explain.md` has the remedy for each. */
export type Cause = SessionCause | RefusalCause;
