import type { Account, Profile, TokenSet, User } from '../types.ts';

/** How and when the visitor was authenticated, as far as the provider tells (OpenID Connect Core §2). */
export interface Authentication {
  readonly amr?: readonly string[] | undefined;
  readonly acr?: string | undefined;
  /** Seconds since 1970. */
  readonly auth_time?: number | undefined;
}

/** What every way to sign in ends in: this visitor controls that account. */
export interface Proof {
  /** As callbacks and events get it: the whole token response. */
  readonly account: Account;
  /** The user the account describes; its `id` is fresh, for the case that the user is new. */
  readonly user: User & { id: string };
  /** What the provider sent. */
  readonly profile?: Profile | undefined;
  /** The members of the token response that are stored. */
  readonly stored?: TokenSet | undefined;
  /** The provider says that the address is not verified. */
  readonly emailUnverified: boolean;
  /** May the account be linked to the user who has the same address? */
  readonly mayLinkByEmail: boolean;
  /** May a user be created under an unverified address? */
  readonly mayCreateUnverified: boolean;
  /** The owner has said that nobody with an unverified address gets in, store or not. Default: `false`. */
  readonly mustBeVerified?: boolean | undefined;
  /** The account is being made: one that somebody has already is not the visitor's. Default: `false`. */
  readonly mustBeNew?: boolean | undefined;
  readonly authentication: Authentication;
  /**
   * Id of the user who was signed in when the sign-in was started; `undefined` when nobody was. Only that user's account
   * may be linked to.
   */
  readonly startedBy?: string | undefined;
}
