import type { AuthConfig } from '@latchkey/core';
import { applyBeforeHead, type Env, nodeRequest, Visit, type VisitRequest, withEnv } from '@latchkey/core/binding';
import { type ExpressVisit, originOf, pathOf } from './express.ts';
import type { ExpressAuthConfig } from './express-auth.ts';

const known = new WeakMap<ExpressVisit, WeakMap<AuthConfig, Visit>>();

/**
 * Returns the visit of a request, one for each configuration. Its cookies are set when the head of the answer is
 * written, because Express may still set `Cache-Control` before that.
 */
export function visitOf(request: ExpressVisit, config: ExpressAuthConfig, env: Env): Visit {
  const configured = withEnv(config, env);
  const byConfig = known.get(request) ?? new WeakMap<AuthConfig, Visit>();
  known.set(request, byConfig);
  const existing = byConfig.get(configured.config);
  if (existing) return existing;
  const visit = new Visit(configured, describe(request));
  byConfig.set(configured.config, visit);
  if (request.res && !request.res.headersSent) applyBeforeHead(request.res, visit);
  return visit;
}

function describe(request: ExpressVisit): VisitRequest {
  return {
    ...nodeRequest(request),
    // Other middleware may still change the headers that name the host.
    get origin() {
      return originOf(request);
    },
    path: pathOf(request),
    canSetCookies: () => request.res !== undefined && !request.res.headersSent,
  };
}
