// Latchkey accepts values with the types of Auth.js.
import type * as core from '@latchkey/core';
import type * as adapters from '@latchkey/core/adapters';
import type * as errors from '@latchkey/core/errors';
import type * as jwt from '@latchkey/core/jwt';
import type * as providers from '@latchkey/core/providers';
import type * as webauthn from '@latchkey/core/providers/webauthn';
import type * as types from '@latchkey/core/types';
import type { Fits } from '../../packages/core/test/types/assert.ts';
import type * as authjs from './authjs.ts';
import type { TheirConfig } from './authjs.ts';

/** Tools of the library, which are not in the published types. */
// @ts-expect-error
export type ErrorOf = typeof errors.errorOf;
// @ts-expect-error
export type BadRequest = errors.BadRequest;

export type Values = [
  Fits<authjs.types.Account, types.Account>,
  Fits<authjs.types.AuthAction, types.AuthAction>,
  Fits<authjs.types.Authenticator, types.Authenticator>,
  Fits<authjs.types.CookieOption, types.CookieOption>,
  Fits<authjs.types.CookiesOptions, types.CookiesOptions>,
  Fits<authjs.types.ErrorPageParam, types.ErrorPageParam>,
  Fits<authjs.types.LoggerInstance, types.LoggerInstance>,
  Fits<authjs.types.PagesOptions, types.PagesOptions>,
  Fits<authjs.types.Profile, types.Profile>,
  Fits<authjs.types.PublicProvider, types.PublicProvider>,
  Fits<authjs.types.ResponseInternal, types.ResponseInternal>,
  Fits<authjs.types.SemverString, types.SemverString>,
  Fits<authjs.types.Session, types.Session>,
  Fits<authjs.types.SignInPageErrorParam, types.SignInPageErrorParam>,
  Fits<authjs.types.Theme, types.Theme>,
  Fits<authjs.types.TokenSet, types.TokenSet>,
  Fits<authjs.types.User, types.User>,
  Fits<authjs.types.WarningCode, types.WarningCode>,
  Fits<authjs.types.WebAuthnOptionsResponseBody, types.WebAuthnOptionsResponseBody>,
];

export type Adapters = [
  Fits<authjs.adapters.Adapter, adapters.Adapter>,
  Fits<authjs.adapters.AdapterAccount, adapters.AdapterAccount>,
  Fits<authjs.adapters.AdapterAccountType, adapters.AdapterAccountType>,
  Fits<authjs.adapters.AdapterAuthenticator, adapters.AdapterAuthenticator>,
  Fits<authjs.adapters.AdapterSession, adapters.AdapterSession>,
  Fits<authjs.adapters.AdapterUser, adapters.AdapterUser>,
  Fits<authjs.adapters.VerificationToken, adapters.VerificationToken>,
  Fits<Required<authjs.adapters.Adapter>, NonNullable<core.AuthConfig['adapter']>>,
];

export type Jwt = [
  Fits<authjs.jwt.JWT, jwt.JWT>,
  Fits<authjs.jwt.DefaultJWT, jwt.DefaultJWT>,
  Fits<authjs.jwt.JWTEncodeParams, jwt.JWTEncodeParams>,
  Fits<authjs.jwt.JWTDecodeParams, jwt.JWTDecodeParams>,
  Fits<Partial<authjs.jwt.JWTOptions>, NonNullable<core.AuthConfig['jwt']>>,
  Fits<authjs.jwt.GetTokenParams, jwt.GetTokenParams>,
  Fits<authjs.jwt.GetTokenParams<true>, jwt.GetTokenParams<true>>,
];

interface OwnProfile {
  id: number;
  picture: { url: string };
}

export type Providers = [
  Fits<authjs.providers.CommonProviderOptions, providers.CommonProviderOptions>,
  Fits<authjs.providers.AppProvider, providers.AppProvider>,
  Fits<authjs.providers.ProviderType, providers.ProviderType>,
  Fits<authjs.providers.CredentialInput, providers.CredentialInput>,
  Fits<authjs.providers.CredentialsConfig, providers.CredentialsConfig>,
  Fits<authjs.providers.EmailConfig, providers.EmailConfig>,
  Fits<authjs.providers.EmailUserConfig, providers.EmailUserConfig>,
  Fits<authjs.providers.OAuth2Config<OwnProfile>, providers.OAuth2Config<OwnProfile>>,
  Fits<authjs.providers.OIDCConfig<OwnProfile>, providers.OIDCConfig<OwnProfile>>,
  Fits<authjs.providers.OAuthUserConfig<OwnProfile>, providers.OAuthUserConfig<OwnProfile>>,
  Fits<authjs.providers.OIDCUserConfig<OwnProfile>, providers.OIDCUserConfig<OwnProfile>>,
  Fits<authjs.providers.ProfileCallback<OwnProfile>, providers.ProfileCallback<OwnProfile>>,
  Fits<authjs.providers.AccountCallback, providers.AccountCallback>,
  Fits<ReturnType<typeof authjs.passkey.default>, webauthn.WebAuthnConfig>,
  Fits<authjs.providers.Provider, providers.Provider>,
  Fits<authjs.providers.Provider[], core.AuthConfig['providers']>,
];

/** Factories, and what they return, as entries of `providers`. */
export type Factories = [
  Fits<Factory<'apple' | 'facebook' | 'github' | 'google' | 'entra'>, providers.Provider>,
  Fits<Factory<'credentials' | 'email' | 'nodemailer' | 'resend' | 'passkey'>, providers.Provider>,
  Fits<ReturnType<Factory<'apple' | 'facebook' | 'github' | 'google' | 'entra'>>, providers.Provider>,
  Fits<ReturnType<Factory<'credentials' | 'email' | 'nodemailer' | 'resend' | 'passkey'>>, providers.Provider>,
];
interface FactoryOf {
  apple: typeof authjs.apple.default;
  credentials: typeof authjs.credentials.default;
  email: typeof authjs.email.default;
  entra: typeof authjs.entra.default;
  facebook: typeof authjs.facebook.default;
  github: typeof authjs.github.default;
  google: typeof authjs.google.default;
  nodemailer: typeof authjs.nodemailer.default;
  passkey: typeof authjs.passkey.default;
  resend: typeof authjs.resend.default;
}
type Factory<K extends keyof FactoryOf> = FactoryOf[K];

export type Events = Fits<TheirConfig['events'], core.AuthConfig['events']>;

// Our functions stand in for theirs.
export type Functions = [
  Fits<(typeof core)['isAuthAction'], typeof authjs.core.isAuthAction>,
  Fits<(typeof core)['createActionURL'], typeof authjs.core.createActionURL>,
  Fits<(typeof core)['setEnvDefaults'], (env: NodeJS.ProcessEnv, config: TheirConfig & core.AuthConfig) => void>,
  Fits<typeof adapters.isDate, typeof authjs.adapters.isDate>,
  Fits<typeof jwt.getToken, (params: authjs.jwt.GetTokenParams) => Promise<object | null>>,
  Fits<typeof jwt.encode, (params: authjs.jwt.JWTEncodeParams) => Promise<string>>,
  Fits<typeof jwt.decode, (params: authjs.jwt.JWTDecodeParams) => Promise<object | null>>,
];

// The error classes of Latchkey replace those of Auth.js: code constructs, extends and distinguishes them in the same
// way.
export type Errors = [
  Fits<InstanceType<typeof authjs.errors.AuthError>['type'], errors.AuthError['type']>,
  Fits<InstanceType<typeof authjs.errors.AuthError>['cause'], errors.AuthError['cause']>,
  Fits<keyof typeof authjs.errors, keyof typeof errors>,
  Fits<ConstructorParameters<typeof authjs.errors.AuthError>, ConstructorParameters<typeof errors.AuthError>>,
];
