export { customFetch } from '@latchkey/core';
export { AuthError, CredentialsSignin } from '@latchkey/core/errors';
// Named one by one, so that `declare module '@latchkey/express'` extends the interfaces themselves.
export type { Account, DefaultSession, Profile, Session, User } from '@latchkey/core/types';
export {
  type Authenticate,
  type AuthenticateOptions,
  type AuthenticateRequest,
  type AuthenticateResponse,
  authenticate,
  type SessionLocals,
} from './authenticate.ts';
export { ExpressAuth, type ExpressAuthConfig, type ExpressAuthHandler } from './express-auth.ts';
export { type HttpError, SessionRequired } from './failure.ts';
export { type GetSessionResult, getSession } from './get-session.ts';
export type { ExpressHead, ExpressNext, ExpressRequest, ExpressResponse, ExpressVisit } from './http.ts';
