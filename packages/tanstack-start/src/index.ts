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
// Named one by one, so that `declare module '@latchkey/tanstack-start'` extends the interfaces themselves.
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
  TanStackAuth,
  type TanStackAuthConfig,
  type TanStackAuthOptions,
  type TanStackAuthResult,
} from './tanstack-auth.ts';
