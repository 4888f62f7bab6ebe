import type { Foreign } from '../types.ts';
import type Credentials from './credentials.ts';
import type { CredentialsConfig, CredentialsProviderId } from './credentials.ts';
import type Email from './email.ts';
import type { EmailConfig, EmailProviderType } from './email.ts';
import type { OAuth2Config, OAuthConfig, OIDCConfig } from './oauth.ts';
import type { EmailProviderId, OAuthProviderId } from './provider-types.ts';
import type { WebAuthnConfig, WebAuthnProviderType } from './webauthn.ts';

export type * from './credentials.ts';
export type * from './email.ts';
export type * from './oauth.ts';

/** How a provider establishes who a visitor is. */
export type ProviderType = 'oidc' | 'oauth' | EmailProviderType | 'credentials' | WebAuthnProviderType;

/** What every provider has. */
export interface CommonProviderOptions {
  /** Unique among the providers of a configuration; part of the callback address. */
  id: string;
  /** Shown as "Sign in with …". */
  name: string;
  type: ProviderType;
}

/** A provider object: a built-in one's, or the application's own. `P` is what the vendor tells about a user. */
export type ProviderConfig<P = Foreign> =
  | (OAuth2Config<P> & InternalOptions)
  | (OIDCConfig<P> & InternalOptions)
  | (EmailConfig & InternalOptions)
  | (CredentialsConfig & InternalOptions)
  | (WebAuthnConfig & InternalOptions);

interface InternalOptions {
  /** What the application passed to the factory; overrides the provider's own members. */
  options?: object | undefined;
}

/** A provider object, or its factory (called without arguments, or with what the environment says). */
export type Provider<P = Foreign> = ProviderConfig<P> | ((...options: Foreign) => ProviderConfig<P>);

/** The factories of the built-in providers. */
export type BuiltInProviders = Record<
  OAuthProviderId,
  (config: Partial<OAuthConfig<Foreign>>) => OAuthConfig<Foreign>
> &
  Record<CredentialsProviderId, typeof Credentials> &
  Record<EmailProviderId, typeof Email> &
  Record<WebAuthnProviderType, (config: Partial<WebAuthnConfig>) => WebAuthnConfig>;

/** A list of providers as `AuthConfig.providers` takes it. */
export type AppProviders = Provider[];

/** A provider with its addresses. */
export interface AppProvider extends CommonProviderOptions {
  signinUrl: string;
  callbackUrl: string;
}

/** The id of a built-in provider, or any other string. */
export type ProviderId =
  | CredentialsProviderId
  | EmailProviderId
  | OAuthProviderId
  | WebAuthnProviderType
  | (string & {});
