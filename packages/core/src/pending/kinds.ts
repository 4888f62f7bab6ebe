import { defaults, limits } from '../config/defaults.ts';
import type { CookiesOptions } from '../types/config.ts';

/** Something that a browser brings back once. */
interface PendingKind {
  /** Seconds until it expires. */
  readonly seconds: number;
  /** It counts only for the provider that it was issued for and, if listed, in the browser that it was issued in. */
  readonly boundTo: readonly ('provider' | 'browser')[];
  /** `check` of the error if the browser brings none. */
  readonly check: string;
  /** Messages of the errors if the browser brings none, or brings it a second time. */
  readonly words: { readonly missing: string; readonly spent?: string };
}

/** It is stored in sealed cookies. */
interface CookieKind<Part extends keyof CookiesOptions> extends PendingKind {
  /** Keys of the cookie table: each part has a cookie of its own. */
  readonly cookies: readonly Part[];
  /** How many may be pending in one browser. */
  readonly keep: number;
}

/**
 * A mail that the browser requested. Its cookie is valid as long as its link. It stays when the browser brings it back,
 * because the token in the store is the part that can be used once.
 */
type MailKind = Omit<CookieKind<'mail'>, 'seconds' | 'check' | 'words'>;

/**
 * A change of the address that waits for the code or the link of a mail. As with a sign-in mail, the row in the store
 * is the part that can be used once.
 */
type AddressKind = Omit<CookieKind<'address'>, 'check' | 'words'>;

/**
 * An account that a browser has proven, and that is offered to a user. Its cookie stays while the page with the
 * question is open, and until the account is added.
 */
type OfferKind = Omit<CookieKind<'offer'>, 'check' | 'words'>;

/** It is sealed into the URL of a redirect. */
interface QueryKind extends PendingKind {
  /** Name of the query parameter. */
  readonly query: string;
}

/** A part of an authorization request that has a cookie of its own. */
export type OAuthPart = 'state' | 'pkceCodeVerifier' | 'nonce';

/** Everything that a browser brings back once. */
export const kinds: {
  readonly oauth: CookieKind<OAuthPart>;
  readonly passkey: CookieKind<'webauthnChallenge'>;
  readonly formPost: QueryKind;
  readonly logout: QueryKind;
  readonly mail: MailKind;
  readonly address: AddressKind;
  readonly offer: OfferKind;
} = {
  /** An authorization request (RFC 6749 §4.1.1). The state, the code verifier, and the nonce have a cookie each. */
  oauth: {
    cookies: ['state', 'pkceCodeVerifier', 'nonce'],
    keep: limits.flows,
    seconds: limits.flowAge,
    boundTo: ['provider', 'browser'],
    check: 'state',
    words: {
      missing: 'no sign-in of this browser belongs to this callback',
      spent: 'this callback was answered before',
    },
  },
  /** The challenge of a passkey ceremony (WebAuthn §13.4.3). */
  passkey: {
    cookies: ['webauthnChallenge'],
    keep: 1,
    seconds: limits.flowAge,
    boundTo: ['provider', 'browser'],
    check: 'challenge',
    words: {
      missing: 'no challenge belongs to this answer: its cookie is missing or too old',
      spent: 'this challenge was answered before',
    },
  },
  /**
   * The fields that a provider posted from its own site (OAuth 2.0 Form Post Response Mode). The next request by GET
   * brings them back, so they are not spent.
   */
  formPost: {
    query: 'form_post',
    seconds: 120,
    boundTo: ['provider'],
    check: 'form_post',
    words: { missing: 'the callback has no posted answer of this provider' },
  },
  /**
   * A sign-out at the provider (OpenID Connect RP-Initiated Logout §2), which brings the value back as `state`. It only
   * says where the visitor goes, so it is not spent.
   */
  logout: {
    query: 'state',
    seconds: limits.flowAge,
    boundTo: ['provider'],
    check: 'state',
    words: { missing: 'no sign-out at this provider belongs to this request' },
  },
  /** A mailed link, and the code in the same mail. The newest replaces the one before. */
  mail: { cookies: ['mail'], keep: 1, boundTo: ['provider'] },
  /** The new address of a user, and the link and the code that were mailed to it. */
  address: { cookies: ['address'], keep: 1, seconds: defaults.account.newAddress, boundTo: ['browser'] },
  /** An offer to add an account to a user. The newest replaces the one before. */
  offer: { cookies: ['offer'], keep: 1, seconds: limits.offerAge, boundTo: ['provider', 'browser'] },
};

/** An authorization request as the browser brings it back. */
export interface OAuthFlow {
  /** State, code verifier, and nonce, as far as they were issued. */
  readonly secrets: { readonly [part in OAuthPart]?: string | undefined };
  /** Where the visitor goes afterwards; `undefined` if the address is too long for a cookie. */
  readonly returnTo?: string | undefined;
  /** Id of the user who was signed in when the sign-in started. */
  readonly startedBy?: string | undefined;
  /** The provider's metadata says that it supports PKCE, and the request uses it. Default: `false`. */
  readonly checksPkce?: boolean | undefined;
  /** A mail has proven the address of the account before this request. Default: it has not. */
  readonly proven?: ProvenAccount | undefined;
  /** The user who has started the request wants to add the account. Default: the request is a sign-in. */
  readonly adds?: AddRequest | undefined;
  /** Parameters in the request for the sign-in, as a query. Default: a second request is not expected. */
  readonly requested?: string | undefined;
  /** The scopes that the request asks for, if the sign-in had the option `scopes`. Default: those of the provider. */
  readonly scope?: string | undefined;
  /** Seconds since 1970 at which the sign-in started. `undefined` until the browser brings it back. */
  readonly startedAt?: number | undefined;
}

/** The account that a user wants to add. */
export interface AddRequest {
  /** Hash of the id of the account that was offered, see `accountHash`. Default: any account of the provider. */
  readonly account?: string | undefined;
}

/** An OAuth account whose address a mail has proven. */
export interface ProvenAccount {
  readonly email: string;
  /** Hash of the account id, see `accountHash`. */
  readonly account: string;
}

/** The claims of a passkey's challenge. Only `challenge` is checked here. */
export interface ChallengeClaims extends Record<string, unknown> {
  /** The random bytes, base64url. */
  readonly challenge: string;
}

/** A sign-out at the provider. */
export interface PendingLogout {
  /** Where the visitor goes afterwards. */
  readonly returnTo: string;
}

/** The newest mail that a browser has requested. */
export interface PendingMail {
  /** Id of the provider that sent it. */
  readonly provider: string;
  /** The address, in its canonical form. */
  readonly identifier: string;
  /** The token in the link. `undefined` after too many wrong codes: only a new mail helps. */
  readonly token?: string | undefined;
  /** The code in the mail. `undefined` if the provider does not have the option `code`. */
  readonly code?: string | undefined;
  /** Where the visitor goes after the sign-in; `undefined` if the address is too long for the cookie. */
  readonly returnTo?: string | undefined;
  /** Milliseconds since 1970 at which the mail was last sent. */
  readonly sentAt: number;
  /** Milliseconds since 1970 at which link and code expire. */
  readonly expires: number;
  /** The visitor did not type this address, so pages must not show all of it. Default: `false`. */
  readonly isMasked?: boolean | undefined;
  /** The sign-in that continues afterwards, if the mail confirms the address for it. */
  readonly resume?: ResumedSignIn | undefined;
}

/** A change of the address that a user has asked for in a browser. */
export interface PendingAddress {
  /** Id of the user. No other user can complete the change. */
  readonly userId: string;
  /** The address before; `null` if the user does not have one. */
  readonly from: string | null;
  /** The new address, in its canonical form. */
  readonly to: string;
  /** The token in the link. */
  readonly token: string;
  /** The code in the mail. */
  readonly code: string;
}

/** An offer to add an account to a user. It has no tokens: the user proves the account once more. */
export interface PendingOffer {
  /** Id of the provider. */
  readonly provider: string;
  readonly providerAccountId: string;
  /** The address or the name of the account, for the visitor. */
  readonly label: string;
  /** Id of the user to whom the account is offered. */
  readonly userId: string;
  /** The address of this user at the time of the offer. `undefined`: the user does not have one. */
  readonly address?: string | undefined;
  /** The provider has verified the address of the account, which is that of the user. Default: `false`. */
  readonly isVerified?: boolean | undefined;
  /** The page with the question has been shown. Default: `false`. */
  readonly isShown?: boolean | undefined;
  /** Milliseconds since 1970 at which the offer expires. */
  readonly expires: number;
}

/** A sign-in that waits until a mail has proven its address. */
export interface ResumedSignIn {
  /** Id of the OAuth or passkey provider. */
  readonly provider: string;
  /** OAuth: the hash of the account id, see `accountHash`. */
  readonly account?: string | undefined;
  /** OAuth: the parameters in the request for the sign-in, as a query. The second request repeats them. */
  readonly params?: string | undefined;
  /** Passkeys: the new credential and its user, see `SealedPasskey`. */
  readonly passkey?: Readonly<Record<string, unknown>> | undefined;
}

/** Names and values of a posted form, in the order of the form. */
export type PostedFields = readonly (readonly [name: string, value: string])[];
