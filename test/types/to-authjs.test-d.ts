// Auth.js, and code that was written for it, accept values with the types of Latchkey.
import type * as core from '@latchkey/core';
import type * as adapters from '@latchkey/core/adapters';
import type * as errors from '@latchkey/core/errors';
import type * as jwt from '@latchkey/core/jwt';
import type * as providers from '@latchkey/core/providers';
import type GitHub from '@latchkey/core/providers/github';
import type Google from '@latchkey/core/providers/google';
import type * as types from '@latchkey/core/types';
import type { Fits } from '../../packages/core/test/types/assert.ts';
import type * as authjs from './authjs.ts';

export type Values = [
  Fits<types.Account, authjs.types.Account>,
  Fits<types.AuthAction, authjs.types.AuthAction>,
  Fits<types.Authenticator, authjs.types.Authenticator>,
  Fits<types.CookieOption, authjs.types.CookieOption>,
  Fits<types.CookiesOptions, authjs.types.CookiesOptions>,
  Fits<types.ErrorPageParam, authjs.types.ErrorPageParam>,
  Fits<types.PagesOptions, authjs.types.PagesOptions>,
  Fits<types.Profile, authjs.types.Profile>,
  Fits<types.PublicProvider, authjs.types.PublicProvider>,
  Fits<types.ResponseInternal, authjs.types.ResponseInternal>,
  Fits<types.Session, authjs.types.Session>,
  Fits<types.SignInPageErrorParam, authjs.types.SignInPageErrorParam>,
  Fits<types.Theme, authjs.types.Theme>,
  Fits<types.TokenSet, authjs.types.TokenSet>,
  Fits<types.User, authjs.types.User>,
  Fits<Pick<types.LoggerInstance, 'warn' | 'error' | 'debug'>, NonNullable<authjs.core.AuthConfig['logger']>>,
];

export type Adapters = [
  Fits<adapters.Adapter, authjs.adapters.Adapter>,
  Fits<adapters.AdapterAccount, authjs.adapters.AdapterAccount>,
  Fits<adapters.AdapterAccountType, authjs.adapters.AdapterAccountType>,
  Fits<adapters.AdapterAuthenticator, authjs.adapters.AdapterAuthenticator>,
  Fits<adapters.AdapterSession, authjs.adapters.AdapterSession>,
  Fits<adapters.AdapterUser, authjs.adapters.AdapterUser>,
  Fits<adapters.VerificationToken, authjs.adapters.VerificationToken>,
];

export type Jwt = [
  Fits<jwt.JWT, authjs.jwt.JWT>,
  Fits<jwt.DefaultJWT, authjs.jwt.DefaultJWT>,
  Fits<jwt.JWTEncodeParams, authjs.jwt.JWTEncodeParams>,
  Fits<jwt.JWTDecodeParams, authjs.jwt.JWTDecodeParams>,
  Fits<jwt.JWTOptions, authjs.jwt.JWTOptions>,
];

interface OwnProfile {
  id: number;
  picture: { url: string };
}

/** Addresses, for which an application may give objects of the class `URL`. The other members fit as they are. */
type Address = 'wellKnown' | 'authorization' | 'token' | 'userinfo' | 'jwks_endpoint' | 'redirectProxyUrl';
type WithTexts<C> = C extends unknown ? Omit<C, Address | 'options'> : never;

export type Providers = [
  Fits<providers.CommonProviderOptions, authjs.providers.CommonProviderOptions>,
  Fits<providers.AppProvider, authjs.providers.AppProvider>,
  Fits<providers.CredentialInput, authjs.providers.CredentialInput>,
  Fits<providers.CredentialsConfig, authjs.providers.Provider>,
  Fits<providers.EmailConfig, authjs.providers.Provider>,
  Fits<WithTexts<providers.OAuth2Config<OwnProfile>>, authjs.providers.Provider>,
  Fits<WithTexts<providers.OIDCConfig<OwnProfile>>, authjs.providers.Provider>,
  Fits<WithTexts<ReturnType<typeof GitHub | typeof Google>>, authjs.providers.Provider>,
  Fits<(...parameters: Parameters<typeof GitHub>) => WithTexts<ReturnType<typeof GitHub>>, authjs.providers.Provider>,
];

/** Members that take more from an application than theirs, or our own symbols. */
type Wider =
  | 'raw'
  | 'skipCSRFCheck'
  | 'providers'
  | 'adapter'
  | 'logger'
  | 'session'
  | 'theme'
  | 'callbacks'
  | 'trustHost'
  | 'redirectProxyUrl';
export type Config = [
  Fits<Omit<core.AuthConfig, Wider>, Partial<authjs.core.AuthConfig>>,
  // A logo for each color scheme is the one member that is wider.
  Fits<Omit<NonNullable<core.AuthConfig['theme']>, 'logo'>, NonNullable<authjs.core.AuthConfig['theme']>>,
  // `session` gets more than theirs: `facts()`.
  Fits<Omit<NonNullable<core.AuthConfig['callbacks']>, 'session'>, NonNullable<authjs.core.AuthConfig['callbacks']>>,
  Fits<Omit<types.SessionOptions, 'generateSessionToken'>, NonNullable<authjs.core.AuthConfig['session']>>,
];

export type Errors = [Fits<errors.AuthError, Error>, Fits<errors.AuthError['cause'], authjs.errors.AuthError['cause']>];
