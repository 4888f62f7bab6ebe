import type { CommonProviderOptions } from '../types/provider.ts';
import type { Untyped } from '../types/user.ts';
import type Credentials from './credentials.ts';
import type { CredentialsConfig, CredentialsProviderId } from './credentials.ts';
import type Email from './email.ts';
import type { EmailConfig } from './email.ts';
import type { OAuth2Config, OAuthConfig, OIDCConfig } from './oauth.ts';
import type { EmailProviderId, OAuthProviderId } from './provider-types.ts';
import type { WebAuthnConfig, WebAuthnProviderType } from './webauthn.ts';

export type { CommonProviderOptions, ProviderType } from '../types/provider.ts';
export type * from './credentials.ts';
export type * from './email.ts';
export type * from './oauth.ts';

/** The configuration of a built-in or a custom provider. `P` is the type of the vendor's profile. */
export type ProviderConfig<P = Untyped> =
  | (OAuth2Config<P> & InternalOptions)
  | (OIDCConfig<P> & InternalOptions)
  | (EmailConfig & InternalOptions)
  | (CredentialsConfig & InternalOptions)
  | (WebAuthnConfig & InternalOptions);

interface InternalOptions {
  /** Options that the application passed to the factory. They override the other members. */
  options?: object | undefined;
}

/**
 * A provider, or its factory. The engine calls a factory with the settings of the environment, or without arguments.
 */
export type Provider<P = Untyped> = ProviderConfig<P> | ((...options: Untyped) => ProviderConfig<P>);

/** The factories of the built-in providers. */
export type BuiltInProviders = Record<
  OAuthProviderId,
  (config: Partial<OAuthConfig<Untyped>>) => OAuthConfig<Untyped>
> &
  Record<CredentialsProviderId, typeof Credentials> &
  Record<EmailProviderId, typeof Email> &
  Record<WebAuthnProviderType, (config: Partial<WebAuthnConfig>) => WebAuthnConfig>;

/** The type of `AuthConfig.providers`. */
export type AppProviders = Provider[];

/** A provider with its URLs. */
export interface AppProvider extends CommonProviderOptions {
  /** URL that starts the sign-in. */
  signinUrl: string;
  /** URL that the provider redirects to, or that the form is posted to. */
  callbackUrl: string;
}

/** The id of a built-in provider, or any other string. */
export type ProviderId =
  | CredentialsProviderId
  | EmailProviderId
  | OAuthProviderId
  | WebAuthnProviderType
  | (string & {});
