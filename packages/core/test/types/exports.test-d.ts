// Each subpath exports the names that applications for Auth.js v5 import from it. A missing name does not compile.
import type * as core from '@latchkey/core';
import type * as account from '@latchkey/core/account';
import type * as adapters from '@latchkey/core/adapters';
import type * as errors from '@latchkey/core/errors';
import type * as jwt from '@latchkey/core/jwt';
import type * as providers from '@latchkey/core/providers';
import type * as auth0 from '@latchkey/core/providers/auth0';
import type * as credentials from '@latchkey/core/providers/credentials';
import type * as email from '@latchkey/core/providers/email';
import type * as github from '@latchkey/core/providers/github';
import type * as google from '@latchkey/core/providers/google';
import type * as keycloak from '@latchkey/core/providers/keycloak';
import type * as nodemailer from '@latchkey/core/providers/nodemailer';
import type * as oauth from '@latchkey/core/providers/oauth';
import type * as providerTypes from '@latchkey/core/providers/provider-types';
import type * as webauthn from '@latchkey/core/providers/webauthn';
import type * as sessions from '@latchkey/core/sessions';
import type * as types from '@latchkey/core/types';
import type { Fits, Is, Same } from './assert.ts';

export type Root = [core.AuthConfig, Is<Same<core.AuthConfig, types.AuthConfig>>];
export type RootValues = Fits<
  'Auth' | 'createActionURL' | 'customFetch' | 'isAuthAction' | 'raw' | 'setEnvDefaults' | 'skipCSRFCheck',
  keyof typeof core
>;

export type Adapters = [
  adapters.Adapter,
  adapters.AdapterUser,
  adapters.AdapterAccount,
  adapters.AccountDetails,
  adapters.StoredAccount,
  adapters.AdapterAccountType,
  adapters.AdapterSession,
  adapters.AdapterSessionMethods,
  adapters.AdapterAuthenticator,
  adapters.VerificationToken,
  adapters.UnlinkAccountParams,
  adapters.UnlinkAccountResult,
  adapters.AuthenticatorChanges,
  adapters.UpdateUserEmailParams,
  adapters.UpdateUserEmailResult,
];
export type AdaptersValues = Is<
  Same<
    keyof typeof adapters,
    | 'isDate'
    | 'fields'
    | 'addedFields'
    | 'recordFields'
    | 'epochFields'
    | 'isOverBy'
    | 'laterEpoch'
    | 'recordPage'
    | 'touchedRecord'
  >
>;

export type Jwt = [
  jwt.JWT,
  jwt.DefaultJWT,
  jwt.JWTEncodeParams,
  jwt.JWTDecodeParams,
  jwt.JWTOptions,
  jwt.GetTokenParams,
];
export type JwtValues = Is<Same<keyof typeof jwt, 'encode' | 'decode' | 'getToken'>>;

export type Sessions = [
  sessions.UserSessions,
  sessions.EndAllOptions,
  Is<Same<sessions.SessionInfo, types.SessionInfo>>,
  Is<Same<sessions.EndedSessions, types.EndedSessions>>,
];
export type SessionsValues = Is<Same<keyof typeof sessions, 'sessionsOf'>>;

export type Accounts = [
  account.UserAccounts,
  Is<Same<account.AccountWay, types.AccountWay>>,
  Is<Same<account.ChangedWays, types.ChangedWays>>,
];
export type AccountsValues = Is<Same<keyof typeof account, 'accountsOf'>>;

export type Types = [
  types.AuthConfig,
  types.LoggerInstance,
  types.WarningCode,
  types.WebAuthnOptionsResponseBody,
  types.Awaitable<1>,
  types.Awaited<Promise<1>>,
  types.SemverString,
  types.Theme,
  types.TokenSet,
  types.Account,
  types.Profile,
  types.CookieMigration,
  types.CookieOption,
  types.CookiePrefixOptions,
  types.CookiesOptions,
  types.ErrorPageParam,
  types.SignInPageErrorParam,
  types.PagesOptions,
  types.DefaultSession,
  types.Session,
  types.DefaultUser,
  types.User,
  types.PublicProvider,
  types.AuthAction,
  types.ResponseInternal,
  types.Authenticator,
  types.InternalProvider,
];
export type TypesValues = Is<Same<keyof typeof types, never>>;

export type Providers = [
  providers.ProviderType,
  providers.CommonProviderOptions,
  providers.Provider,
  providers.BuiltInProviders,
  providers.AppProviders,
  providers.AppProvider,
  providers.ProviderId,
  Is<Same<providers.OAuth2Config<{ id: 1 }>, oauth.OAuth2Config<{ id: 1 }>>>,
  Is<Same<providers.EmailConfig, email.EmailConfig>>,
  Is<Same<providers.CredentialsConfig, credentials.CredentialsConfig>>,
];
export type ProvidersValues = Is<Same<keyof typeof providers, 'openIDProvider'>>;

export type OAuth = [
  oauth.OAuthProviderId,
  oauth.OAuthChecks,
  oauth.EndpointHandler<{ scope: string }, { context: 1 }, { result: 1 }>,
  oauth.AuthorizationEndpointHandler,
  oauth.TokenEndpointHandler,
  oauth.UserinfoEndpointHandler,
  oauth.ProfileCallback<{ id: 1 }>,
  oauth.AccountCallback,
  oauth.OAuthProviderButtonStyles,
  oauth.OAuth2Config<{ id: 1 }>,
  oauth.OIDCConfig<{ id: 1 }>,
  oauth.OAuthConfig<{ id: 1 }>,
  oauth.OAuthEndpointType,
  oauth.OAuthConfigInternal<{ id: 1 }>,
  oauth.OIDCConfigInternal<{ id: 1 }>,
  oauth.OAuthUserConfig<{ id: 1 }>,
  oauth.OIDCUserConfig<{ id: 1 }>,
];
export type OAuthValues = Is<Same<keyof typeof oauth, 'openIDProvider'>>;

export type Email = [
  email.EmailProviderId,
  email.EmailProviderType,
  email.EmailProviderSendVerificationRequestParams,
  email.EmailConfig,
  email.EmailUserConfig,
  nodemailer.NodemailerConfig,
  nodemailer.NodemailerUserConfig,
];
export type Credentials = [
  credentials.CredentialInput,
  credentials.CredentialsConfig,
  credentials.CredentialsProviderId,
];
export type WebAuthn = [
  webauthn.WebAuthnProviderType,
  webauthn.RelayingParty,
  webauthn.GetUserInfo,
  webauthn.WebAuthnConfig,
  webauthn.AuthenticationOptions,
  webauthn.RegistrationOptions,
  webauthn.VerifyAuthenticationOptions,
  webauthn.VerifyRegistrationOptions,
  webauthn.SimpleWebAuthn,
];
export type WebAuthnValues = Is<
  Same<keyof typeof webauthn, 'default' | 'DEFAULT_WEBAUTHN_TIMEOUT' | 'DEFAULT_SIMPLEWEBAUTHN_BROWSER_VERSION'>
>;
export type Profiles = [auth0.Auth0Profile, github.GitHubProfile, google.GoogleProfile, keycloak.KeycloakProfile];

export type Ids = [
  Is<Same<providerTypes.OAuthProviderId, oauth.OAuthProviderId>>,
  Is<Same<providerTypes.EmailProviderId, email.EmailProviderId>>,
  Fits<'auth0' | 'github' | 'google' | 'keycloak', oauth.OAuthProviderId>,
  Fits<oauth.OAuthProviderId | email.EmailProviderId | 'credentials' | 'webauthn', keyof providers.BuiltInProviders>,
];

export type Errors = Fits<
  | 'AuthError'
  | 'SignInError'
  | 'isClientError'
  | 'AccessDenied'
  | 'AccountNotLinked'
  | 'AdapterError'
  | 'CallbackRouteError'
  | 'CredentialsSignin'
  | 'DuplicateConditionalUI'
  | 'EmailSignInError'
  | 'ErrorPageLoop'
  | 'EventError'
  | 'ExperimentalFeatureNotEnabled'
  | 'InvalidCallbackUrl'
  | 'InvalidCheck'
  | 'InvalidEndpoints'
  | 'InvalidProvider'
  | 'JWTSessionError'
  | 'MissingAdapter'
  | 'MissingAdapterMethods'
  | 'MissingAuthorize'
  | 'MissingCSRF'
  | 'MissingSecret'
  | 'MissingWebAuthnAutocomplete'
  | 'OAuthAccountNotLinked'
  | 'OAuthCallbackError'
  | 'OAuthProfileParseError'
  | 'OAuthSignInError'
  | 'SessionTokenError'
  | 'SignOutError'
  | 'UnknownAction'
  | 'UnsupportedStrategy'
  | 'UntrustedHost'
  | 'Verification'
  | 'WebAuthnVerificationError',
  keyof typeof errors
>;
