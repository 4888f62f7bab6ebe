/** For bindings to frameworks: what they have in common, written once. */

export { answerNodeRequest, type NodePlace, type NodeResponse } from './binding/node.ts';
export { basePathFor, originFrom } from './binding/place.ts';
export { readSession, type SessionVisit } from './binding/session.ts';
export { type Env, type EnvConfigured, withEnv } from './config/env.ts';
export type { NodeRequest } from './entry/read.ts';
