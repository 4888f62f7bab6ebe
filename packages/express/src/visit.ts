import {
  applyBeforeHead,
  cachedVisit,
  type Env,
  nodeRequest,
  pathOfTarget,
  Visit,
  type VisitRequest,
  withEnv,
} from '@latchkey/core/binding';
import { type ExpressVisit, originOf } from './express.ts';
import type { ExpressAuthConfig } from './express-auth.ts';

/**
 * Returns the visit of a request, one for each configuration. Its cookies are set when the head of the answer is
 * written, because Express may still set `Cache-Control` before that.
 */
export function visitFor(request: ExpressVisit, config: ExpressAuthConfig, env: Env): Visit {
  const configured = withEnv(config, env);
  return cachedVisit(request, configured, () => {
    const visit = new Visit(configured, describe(request));
    if (request.res && !request.res.headersSent) applyBeforeHead(request.res, visit);
    return visit;
  });
}

function describe(request: ExpressVisit): VisitRequest {
  return {
    ...nodeRequest(request),
    // Other middleware may still change the headers that name the host.
    get origin() {
      return originOf(request);
    },
    path: pathOfTarget(request.originalUrl ?? ''),
    canSetCookies: () => request.res !== undefined && !request.res.headersSent,
  };
}
