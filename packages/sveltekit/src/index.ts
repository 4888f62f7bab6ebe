export { customFetch, defineConfig } from '@latchkey/core';
export type { Env } from '@latchkey/core/binding';
export {
  AuthError,
  CredentialsSignin,
  LastWayIn,
  RecentSignInRequired,
  TokensUnavailable,
} from '@latchkey/core/errors';
// Named one by one, so that `declare module '@latchkey/sveltekit'` extends the interfaces themselves.
export type {
  Account,
  AccountWay,
  ChangedWays,
  DefaultSession,
  EndedSessions,
  MailStatus,
  Profile,
  Session,
  SessionInfo,
  User,
  VisitorAccount,
  VisitorSessions,
  VisitorTokens,
} from '@latchkey/core/types';
export type { AuthLocals, AuthPageData, KitCookieOptions, KitCookies, KitEvent, KitHandle } from './event.ts';
export {
  type ActionAnswer,
  assertConfig,
  type SessionReadOptions,
  SvelteKitAuth,
  type SvelteKitAuthConfig,
  type SvelteKitAuthResult,
} from './sveltekit-auth.ts';
