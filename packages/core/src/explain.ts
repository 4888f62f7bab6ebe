/** Why a request has no session, or was refused. */

import { routes } from './actions/routes.ts';
import { type Env, withEnv } from './config/env.ts';
import { settingsFor } from './config/settings.ts';
import type { CallOptions } from './context.ts';
import { readRequest } from './entry/request.ts';
import { type Explanation, explainRequest, unreadable } from './explain/explain.ts';
import type { AuthConfig } from './types/config.ts';

export { causes } from './explain/causes.ts';
export type { Explanation } from './explain/explain.ts';
export type { Cause, RefusalCause, SessionCause } from './types/cause.ts';

/** Options of {@link explain}. */
export interface ExplainOptions {
  /**
   * `run`: `callbacks.jwt` and `callbacks.session` are called; they may refresh tokens. Default: they are not called.
   */
  callbacks?: 'run' | undefined;
  /** Environment variables. Default: `process.env`. */
  env?: Env | undefined;
  /** The framework prerenders a page, so there is no visitor. Default: `false`. */
  prerendering?: boolean | undefined;
  /** Facts that the host framework knows better than the request: the base path, the time. Default: `{}`. */
  call?: CallOptions | undefined;
}

/**
 * Explains why a request has no session, or why a form or the answer of a provider is refused. Sets no cookie, extends
 * nothing, and never throws. Call it behind a guard of your own: the result tells how the site is configured.
 *
 * ```ts
 * const { outcome, cause, remedy, facts } = await explain(request, config);
 * // outcome: 'no-session', cause: 'cookie-prefix'
 * // facts: { found: '__Secure-authjs.session-token', expected: 'authjs.session-token' }
 * ```
 *
 * A request for a page of the application is explained like `GET session`. The body of the request is not used up.
 */
export async function explain(
  request: Request,
  config: Omit<AuthConfig, 'raw'>,
  { callbacks, env = processEnv(), prerendering = false, call }: ExplainOptions = {},
): Promise<Explanation> {
  try {
    const { config: complete, call: own } = withEnv(config, env);
    return await explainRequest(routes, {
      incoming: readRequest(
        request.bodyUsed ? new Request(request.url, { headers: request.headers }) : request.clone(),
      ),
      settings: settingsFor(complete),
      call: { ...own, ...call },
      runsCallbacks: callbacks === 'run',
      isPrerendering: prerendering,
    });
  } catch (error) {
    return unreadable(error);
  }
}

declare const process: { readonly env: Env } | undefined;

function processEnv(): Env {
  return typeof process === 'undefined' ? {} : process.env;
}
