/** Everything that bindings to frameworks share. */

export { accountOfRequest, accountOfVisitor } from './binding/account.ts';
export { currentCookieHeader } from './binding/current-cookies.ts';
export { type Access, type AccessFacts, decideAccess } from './binding/guard.ts';
export {
  answerNodeRequest,
  applyBeforeHead,
  applyToNode,
  beforeHead,
  cookiesOn,
  headersFromNode,
  type NodeHead,
  type NodeResponse,
  nodeAnswer,
  nodeRequest,
  type RequestUrl,
} from './binding/node.ts';
export {
  basePathFor,
  isOwnAction,
  isRoute,
  originFrom,
  originOfUrl,
  ownPagePath,
  pathOfTarget,
  withoutQuery,
} from './binding/origin.ts';
export { type OwnCookies, ownCookies } from './binding/own-cookies.ts';
export {
  type AnswerHeaders,
  applyToHead,
  applyToHeaders,
  decideRenewal,
  type HeadChanges,
  type HeadWriter,
  headChanges,
  headWriter,
  overridingCacheHeaders,
  type Renewal,
  type ResponseHead,
  type VisitCookies,
} from './binding/renew.ts';
export {
  type AuthorizationParams,
  type Host,
  type SignedOut,
  type SignInOptions,
  type SignOutOptions,
  signIn,
  signOut,
  updateSession,
} from './binding/server-call.ts';
export { pendingMail, readSession, type SessionVisit } from './binding/session.ts';
export { sessionsOfVisitor, type Visitor } from './binding/sessions.ts';
export { assertBindingConfig, type BindingStart, checkAtStart, type Start, startBinding } from './binding/start.ts';
export { type RenewedVisitor, renewTokens, tokensOfVisitor } from './binding/tokens.ts';
export { Visit, type VisitRequest } from './binding/visit.ts';
export { asVisitorError } from './binding/visitor-error.ts';
export {
  cachedVisit,
  type ServerFunctions,
  type ServerFunctionsOptions,
  serverFunctions,
  type VisitSource,
  visits,
} from './binding/visits.ts';
export { answerRequest, completeResponse, isPrivateOrigin, requestOrigin, webRequest } from './binding/web.ts';
export { assertConfig } from './config/assert-config.ts';
export { type Env, type EnvConfigured, processEnv, withEnv } from './config/env.ts';
export { trimmedPath, withoutTrailingSlashes } from './config/paths.ts';
export type { NodeRequest } from './entry/request.ts';
export { statusOf } from './errors.ts';
export { serializeCookie } from './wire/cookie.ts';
