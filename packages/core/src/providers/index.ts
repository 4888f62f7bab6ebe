import type { CredentialsConfig, CredentialsProviderId } from './credentials.ts';
import type { EmailConfig, EmailProviderType } from './email.ts';
import type { OAuth2Config, OAuthProviderId, OIDCConfig } from './oauth.ts';
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

/**
 * A provider object: a built-in one's, or the application's own. With the profile type `never` it accepts every one, since
 * callbacks take their profile as a parameter.
 */
export type AppProvider<P = never> = (
  | ((OAuth2Config<P> | OIDCConfig<P>) & InternalOptions)
  | (EmailConfig & InternalOptions)
  | (CredentialsConfig & InternalOptions)
  | (WebAuthnConfig & InternalOptions)
) &
  CommonProviderOptions;

interface InternalOptions {
  /** What the application passed to the factory; overrides the provider's own members. */
  options?: object | undefined;
}

/** A provider object, or its factory (called without arguments, or with what the environment says). */
export type Provider<P = never> = AppProvider<P> | ((options: never) => AppProvider<P>);

/** A list of providers as `AuthConfig.providers` takes it. */
export type AppProviders = Array<Provider>;

/** Ids of the built-in providers with their factories' options. */
export type BuiltInProviders = Record<OAuthProviderId | CredentialsProviderId, (config?: object) => AppProvider>;

/** The id of a built-in provider, or any other string. */
export type ProviderId = OAuthProviderId | CredentialsProviderId | (string & {});
