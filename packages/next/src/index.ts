export { customFetch } from '@latchkey/core';
export type { AuthorizationParams, SignedOut, SignInOptions, SignOutOptions } from '@latchkey/core/binding';
export {
  AuthError,
  CredentialsSignin,
  LastWayIn,
  RecentSignInRequired,
  TokensUnavailable,
} from '@latchkey/core/errors';
// Named one by one, so that `declare module '@latchkey/next'` extends the interfaces themselves.
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
  VisitorAccount,
  VisitorSessions,
  VisitorTokens,
} from '@latchkey/core/types';
export type { Auth, RouteContext, RouteHandler } from './auth.ts';
export { defineConfig, type NextAuthConfig, type NextConfigWith } from './config.ts';
export { type AuthHandler, assertConfig, NextAuth as default, type NextAuthResult } from './next-auth.ts';
export type { PendingMail } from './pending-mail.ts';
export type { NextAuthRequest } from './proxy.ts';
