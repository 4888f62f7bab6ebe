import type { Fields } from '../context.ts';
import type { AddRequest } from '../pending/kinds.ts';
import type { EmailVerification, UnverifiedEmail } from '../providers/oauth.ts';
import type { AdapterAuthenticator, AdapterUser } from '../types/adapter.ts';
import type { Account, EmailStatus, Profile, TokenSet, User } from '../types/user.ts';

/** How and when the visitor proved who they are, for the facts and the record of the session. */
export interface Authentication {
  /** Methods (RFC 8176): from the ID token, else from the sign-in method. */
  readonly amr: readonly string[];
  /** Seconds since 1970: `auth_time` of the ID token. Default: now. */
  readonly authTime?: number | undefined;
  /** OpenID Connect: `iss`, `sub` and `sid` of the ID token, which later name the provider's session and user. */
  readonly issuer?: string | undefined;
  readonly subject?: string | undefined;
  readonly sessionId?: string | undefined;
  /** OpenID Connect: the ID token itself. Kept only for the sign-out at the provider. */
  readonly idToken?: string | undefined;
}

/** The result of every sign-in method: the visitor controls this account. */
export interface Proof {
  /**
   * As callbacks and events get it, for OAuth with the whole token response. `account.type` is the sign-in method.
   */
  readonly account: Account;
  /** The user that the account describes. Its `id` is random if the user is not stored. */
  readonly user: User & { id: string };
  /** OAuth and OIDC only: what the provider sent. */
  readonly profile?: Profile | undefined;
  /** OAuth and OIDC only: the members of the token response that are stored. */
  readonly stored?: TokenSet | undefined;
  /** Credentials only: what the visitor typed. */
  readonly credentials?: Fields | undefined;
  /** Registration of a passkey only: what the store keeps of it beside the account. */
  readonly authenticator?: Omit<AdapterAuthenticator, 'userId'> | undefined;
  /** The id of the account as a number, by which Auth.js v5 may have stored it. Default: it was always a string. */
  readonly numericAccountId?: number | undefined;
  /**
   * A second id of the account, for vendors that can give the first one to another person; `null` if the profile lacks
   * it. Default: the vendor has no second id.
   */
  readonly stableId?: string | null | undefined;
  /** The status of the user's email address. Absent if there is no address, or if the sign-in method proves it. */
  readonly emailStatus?: EmailStatus | undefined;
  /** How the provider vouches for addresses. An address that a visitor types for a passkey has `never`. */
  readonly emailVerification?: EmailVerification | undefined;
  /** The option of the provider. Default: not set. */
  readonly unverifiedEmail?: UnverifiedEmail | undefined;
  /** A mail has proven the address during this sign-in. Default: `false`. */
  readonly isProvenByMail?: boolean | undefined;
  /** The typed name or address belongs to a user, so that it cannot become a new one. Default: `false`. */
  readonly isTaken?: boolean | undefined;
  /** May the account be linked to the user who has the same email address? Default: `false`. */
  readonly mayLinkByEmail?: boolean | undefined;
  /** The account is being created, so it must not belong to anyone yet. Default: `false`. */
  readonly mustBeNew?: boolean | undefined;
  /**
   * Id of the user who was signed in when the sign-in was started; `undefined` if the visitor was signed out. Only
   * this user's account may be linked to.
   */
  readonly startedBy?: string | undefined;
  /** OAuth and OIDC only: this user wants to add the account. Default: the visitor wants to sign in. */
  readonly adds?: AddRequest | undefined;
  /** How and when the visitor proved the account. */
  readonly authentication?: Authentication | undefined;
  /**
   * Another browser may have requested the sign-in, for example that of an attacker. Then no account and no passkey is
   * added during its session. Default: `false`.
   */
  readonly isOfOtherBrowser?: boolean | undefined;
  /** OAuth and OIDC only: the parameters of the sign-in, as a query, for a second authorization request. */
  readonly requested?: string | undefined;
  /** OAuth and OIDC only: the requested scopes, if the sign-in had the option `scopes`. */
  readonly requestedScope?: string | undefined;
  /** The user who is signed in now, if the sign-in method has already asked; `null` if the visitor is signed out. */
  readonly signedIn?: AdapterUser | null | undefined;
}
