// Latchkey accepts a configuration with the type of Auth.js. With `exactOptionalPropertyTypes`, `callbacks.session`
// does not fit: it gets `facts()`, and members that may be `undefined`.
import type * as core from '@latchkey/core';
import type { Fits } from '../../packages/core/test/types/assert.ts';
import type { TheirConfig } from './authjs.ts';

export type Config = [
  Fits<TheirConfig, core.AuthConfig>,
  Fits<TheirConfig['callbacks'], core.AuthConfig['callbacks']>,
  Fits<typeof core.Auth, (request: Request, config: TheirConfig) => Promise<Response>>,
];
