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
// Named one by one, so that `declare module '@latchkey/hono'` extends the interfaces themselves.
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
export { HonoAuth, type HonoAuthConfig, type HonoAuthOptions, type HonoAuthResult } from './hono-auth.ts';
