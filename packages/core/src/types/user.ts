/** A value or a promise of it. */
export type Awaitable<T> = T | PromiseLike<T>;

/** The type to which a promise resolves. */
export type Awaited<T> = T extends Promise<infer U> ? U : T;

/** Any value that JSON can carry. */
export type JsonValue = string | number | boolean | null | { [key: string]: JsonValue | undefined } | JsonValue[];

/** The same members, each of which may be absent or `undefined`. */
export type Optional<T> = { [K in keyof T]?: T[K] | undefined };

/** A value from a provider or a client. Auth.js v5 has `any` here, so applications read its members without a cast. */
// biome-ignore lint/suspicious/noExplicitAny: this is the one place
export type Untyped = any;

/** Members of a token endpoint response (RFC 6749 §5.1, OpenID Connect Core §3.1.3.3). */
export interface TokenEndpointResponse {
  /** Token for the provider's API. */
  access_token?: string | undefined;
  /** Type of the access token, in lower case: `bearer` or `dpop`. */
  token_type?: Lowercase<string> | undefined;
  /** Seconds that the access token is valid, from the response on. */
  expires_in?: number | undefined;
  /** Signed claims about the user (OpenID Connect Core §2). */
  id_token?: string | undefined;
  /** Token that gets new access tokens. */
  refresh_token?: string | undefined;
  /** Granted scopes, separated by spaces. */
  scope?: string | undefined;
  /** The granted authorization (RFC 9396 §7). */
  authorization_details?: AuthorizationDetails[] | undefined;
  /** Further parameters. Only stored accounts have dates. */
  [parameter: string]: JsonValue | AuthorizationDetails[] | undefined;
}

/** An entry of `authorization_details` (RFC 9396 §2). */
export interface AuthorizationDetails {
  /** The kind of authorization, which determines the other members. */
  type: string;
  /** URLs of the resources. */
  locations?: string[];
  /** Allowed actions. */
  actions?: string[];
  /** Kinds of data. */
  datatypes?: string[];
  /** Levels of privilege at the resource. */
  privileges?: string[];
  /** Identifies one resource. */
  identifier?: string;
  /** Members that the `type` defines, such as `instructedAmount` of a payment. */
  [parameter: string]: JsonValue | undefined;
}

/** The response of the token endpoint, and the instant at which the access token expires. */
export interface TokenSet extends TokenEndpointResponse {
  /** Seconds since 1970, computed from `expires_in`. */
  expires_at?: number | undefined;
}

/** How a provider establishes who a visitor is. */
export type ProviderType = 'oidc' | 'oauth' | 'email' | 'credentials' | 'webauthn';

/** A connection between a user and a provider. */
export interface Account extends TokenEndpointResponse {
  /** Id of the provider. */
  provider: string;
  /**
   * The user's id at the provider. For email it is the address, for credentials the `id` that `authorize()` returned.
   */
  providerAccountId: string;
  /** Protocol of the provider. */
  type: ProviderType;
  /** The user's id in the store. */
  userId?: string | undefined;
  /** Seconds since 1970, computed from `expires_in`. */
  expires_at?: number | undefined;
}

/**
 * A provider's claims about a user: the standard ones (OpenID Connect Core §5.1), and others that the provider sends.
 */
export interface Profile {
  /** The user's id, from providers that do not send `sub`. */
  id?: string | null | undefined;
  /** The user's id at the provider. */
  sub?: string | null | undefined;
  /** Full name. */
  name?: string | null | undefined;
  /** Given name or first name; several are separated by spaces. */
  given_name?: string | null | undefined;
  /** Family name or last name; several are separated by spaces. */
  family_name?: string | null | undefined;
  /** Middle name; several are separated by spaces. */
  middle_name?: string | null | undefined;
  /** Casual name, such as `Mike` for Michael. */
  nickname?: string | null | undefined;
  /** Short name that the user wants to have. Not unique: do not identify users by it. */
  preferred_username?: string | null | undefined;
  /** URL of the profile page. */
  profile?: string | null | undefined;
  /** URL of a picture; some providers send an object. */
  picture?: Untyped;
  /** URL of the user's website. */
  website?: string | null | undefined;
  /** Email address. Whether it is proven, `email_verified` and the option `emailVerification` tell. */
  email?: string | null | undefined;
  /** Whether the provider has verified that the address belongs to the user. */
  email_verified?: boolean | null | undefined;
  /** `female`, `male` or another value that the provider defines. */
  gender?: string | null | undefined;
  /** `YYYY-MM-DD`, or `YYYY`. */
  birthdate?: string | null | undefined;
  /** Time zone: `Europe/Paris`. */
  zoneinfo?: string | null | undefined;
  /** Language tag (BCP 47): `en-US`. */
  locale?: string | null | undefined;
  /** Telephone number, usually in the format of E.164: `+1 (425) 555-1212`. */
  phone_number?: string | null | undefined;
  /** When the profile last changed; as a number, seconds since 1970. */
  updated_at?: Date | string | number | null | undefined;
  /** Postal address, as one text and in parts. */
  address?:
    | {
        /** The whole postal address, with line breaks. */
        formatted?: string | null | undefined;
        street_address?: string | null | undefined;
        locality?: string | null | undefined;
        region?: string | null | undefined;
        postal_code?: string | null | undefined;
        country?: string | null | undefined;
      }
    | null
    | undefined;
  /** Any other claim that the provider sends. Its type is not checked. */
  [claim: string]: unknown;
}

/** The members of every user. To add members, extend {@link User}, not this type. */
export interface DefaultUser {
  /** Id in the store; without a store, the id that the provider or `authorize()` returned. */
  id?: string | undefined;
  /** Display name. Absent or `null` if it is unknown. */
  name?: string | null | undefined;
  /** Email address. The library compares addresses without case. Absent or `null` if it is unknown. */
  email?: string | null | undefined;
  /** URL of a picture. */
  image?: string | null | undefined;
}

/**
 * A user. An application can add members:
 *
 * ```ts
 * declare module '@latchkey/core/types' {
 *   interface User {
 *     role?: string;
 *   }
 * }
 * ```
 */
export interface User extends DefaultUser {}

/**
 * Whether an email address belongs to the person who signs in: `verified` or `unverified` according to the provider;
 * `unknown` if the provider does not tell, or is not trusted to.
 */
export type EmailStatus = 'verified' | 'unverified' | 'unknown';

/** A passkey, as the server keeps it: a credential record (WebAuthn Level 3 §4). */
export interface Authenticator {
  /** Id of the credential, in Base64 with padding. */
  credentialID: string;
  /** COSE public key, in Base64 with padding. */
  credentialPublicKey: string;
  /** Signature counter (WebAuthn Level 3 §6.1.1). */
  counter: number;
  /** `singleDevice`, or `multiDevice` if the passkey may be synchronized to other devices. */
  credentialDeviceType: string;
  /** Whether the passkey has a backup. */
  credentialBackedUp: boolean;
  /** How browsers can reach the authenticator, separated by commas: `internal,hybrid`. */
  transports?: string | null | undefined;
  /** Id of the user in the store. */
  userId?: string | undefined;
  /** The account of the passkey: the id of the credential. */
  providerAccountId: string;
}
