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
// Named one by one, so that `declare module '@latchkey/express'` extends the interfaces themselves.
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
export { accountFrom } from './account.ts';
export {
  type Authenticate,
  type AuthenticateOptions,
  type AuthenticateRequest,
  type AuthenticateResponse,
  authenticate,
  type SessionLocals,
} from './authenticate.ts';
export type {
  ExpressHead,
  ExpressNext,
  ExpressRequest,
  ExpressResponse,
  ExpressVisit,
  HttpError,
} from './express.ts';
export { ExpressAuth, type ExpressAuthConfig, type ExpressAuthHandler } from './express-auth.ts';
export { type GetSessionResult, getSession, pendingMail } from './session.ts';
export { sessionsFrom } from './sessions.ts';
export { tokensFrom } from './tokens.ts';
