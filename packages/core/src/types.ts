/** The public types, with the names of Auth.js v5. They are declared in `types/`. */

// Exported one by one, so that `declare module '@latchkey/core/types'` extends the interfaces themselves.
export type { AuthAction } from './actions/routes.ts';
export type {
  AccountFeature,
  AccountOptions,
  AccountWay,
  AskedAddress,
  ChangedWays,
  LinkOptions,
  RequestAccount,
  VisitorAccount,
} from './types/account.ts';
export type {
  AuthConfig,
  CallbacksOptions,
  ConfigWith,
  Cookie,
  CookieMigration,
  CookieOption,
  CookiePrefixOptions,
  CookieSerializeOptions,
  CookiesOptions,
  CredentialsRateLimit,
  ErrorPageParam,
  EventCallbacks,
  Exposed,
  InternalProvider,
  JWTCallbackParams,
  LoggerInstance,
  LogoutOptions,
  PagesOptions,
  RateLimit,
  RateLimitOptions,
  RateLimitRule,
  RateLimitStore,
  ResponseInternal,
  SessionCallbackParams,
  SessionFrom,
  SessionOptions,
  SignInCallbackParams,
  SignInPageErrorParam,
  WarningCode,
} from './types/config.ts';
export type { ExportedAccount } from './types/exported-account.ts';
export type { LegacyReader, LegacySession } from './types/legacy.ts';
export type { CountText, Language, LocaleOptions, OwnTexts, Texts } from './types/locale.ts';
export type { MailMessage, MailOptions } from './types/mail.ts';
export type { PublicProvider, SemverString, WebAuthnOptionsResponseBody } from './types/provider.ts';
export type { DefaultSession, MailStatus, Session } from './types/session.ts';
export type {
  EndedSessions,
  RecordKey,
  RecordTouch,
  SessionEpoch,
  SessionFacts,
  SessionInfo,
  SessionRecord,
  SessionRecords,
  SessionRecordsOptions,
  VisitorSessions,
} from './types/session-records.ts';
export type { PageLinks, Theme, ThemeOptions } from './types/theme.ts';
export type { TokenVault, VaultEntry, VaultKey } from './types/token-vault.ts';
export type {
  GetTokenOptions,
  ImportedAccount,
  ProviderToken,
  Revocation,
  RevokedTokens,
  TokenAccount,
  TokenKms,
  TokenOwner,
  TokensOptions,
  TokensOwnerOption,
  UserTokens,
  VisitorTokens,
} from './types/tokens.ts';
export type {
  Account,
  Authenticator,
  AuthorizationDetails,
  Awaitable,
  Awaited,
  DefaultUser,
  JsonValue,
  Optional,
  Profile,
  TokenEndpointResponse,
  TokenSet,
  Untyped,
  User,
} from './types/user.ts';
