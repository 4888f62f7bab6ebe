/** For bindings to frameworks: what they have in common, written once. */

export type { Host } from './binding/host.ts';
export { answerNodeRequest, type NodePlace, type NodeResponse } from './binding/node.ts';
export { basePathFor, originFrom, ownPagePath } from './binding/place.ts';
export { readSession, type SessionVisit } from './binding/session.ts';
export { isForCaches, mayBeShared } from './binding/shared-caches.ts';
export { type AuthorizationParams, type SignInOptions, signIn } from './binding/sign-in.ts';
export { type SignedOut, signOut } from './binding/sign-out.ts';
export { updateSession } from './binding/update.ts';
export { type Env, type EnvConfigured, withEnv } from './config/env.ts';
export type { NodeRequest } from './entry/read.ts';
export { isRoute, namedOrigin } from './entry/route.ts';
export { serializeCookie } from './wire/cookie.ts';
