export { customFetch, defineConfig } from '@latchkey/core';
export { assertBindingConfig as assertConfig } from '@latchkey/core/binding';
export {
  AuthError,
  CredentialsSignin,
  LastWayIn,
  RecentSignInRequired,
  TokensUnavailable,
} from '@latchkey/core/errors';
// Named one by one, so that `declare module '@latchkey/react-router'` extends the interfaces themselves.
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
  ReactRouterAuth,
  type ReactRouterAuthConfig,
  type ReactRouterAuthOptions,
  type ReactRouterAuthResult,
  type RouterMiddleware,
} from './react-router-auth.ts';
export type { RouterArgs, RouterContext } from './request-state.ts';
