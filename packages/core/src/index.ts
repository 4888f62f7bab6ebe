export { Auth } from './auth.ts';
export { setEnvDefaults } from './config/env.ts';
export type { CallOptions } from './context.ts';
export { relatedOrigins, serveRelatedOrigins } from './entry/related-origins.ts';
export { createActionURL, isAuthAction } from './entry/route.ts';
export { allowInsecureIssuer, customFetch, raw, skipCSRFCheck } from './symbols.ts';
export type { AuthConfig } from './types.ts';
