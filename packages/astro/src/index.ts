export { customFetch, defineConfig } from '@latchkey/core';
export { assertBindingConfig as assertConfig } from '@latchkey/core/binding';
export {
  AuthError,
  CredentialsSignin,
  LastWayIn,
  RecentSignInRequired,
  SessionRequired,
  TokensUnavailable,
} from '@latchkey/core/errors';
// Named one by one, so that `declare module '@latchkey/astro'` extends the interfaces themselves.
export type {
  Account,
  AccountWay,
  ChangedWays,
  DefaultSession,
  EndedSessions,
  MailStatus,
  Profile,
  RequestAccount,
  Session,
  SessionInfo,
  User,
  VisitorSessions,
  VisitorTokens,
} from '@latchkey/core/types';
export {
  AstroAuth,
  type AstroAuthConfig,
  type AstroAuthContext,
  type AstroAuthLocals,
  type AstroAuthResult,
} from './astro-auth.ts';
