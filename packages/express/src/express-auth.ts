import type { AuthConfig } from '@latchkey/core';
import {
  answerNodeRequest,
  basePathFor,
  type Env,
  pathOfTarget,
  startBinding,
  withEnv,
  withoutQuery,
} from '@latchkey/core/binding';
import {
  type ExpressNext,
  type ExpressRequest,
  type ExpressResponse,
  mountOf,
  originOf,
  withStatus,
} from './express.ts';

/** The configuration, as for `Auth()`. */
export type ExpressAuthConfig = Omit<AuthConfig, 'raw'>;

/** A request handler of Express 4 and 5. */
export type ExpressAuthHandler = (
  request: ExpressRequest,
  response: ExpressResponse,
  next: ExpressNext,
) => Promise<void>;

/**
 * Creates the handler that signs visitors in and out and answers with their session.
 *
 * ```ts
 * app.set('trust proxy', 1); // The number of proxies in front of the application.
 * app.use('/auth', ExpressAuth({ providers: [GitHub] }));
 * ```
 *
 * You can mount the handler at any path. `/auth/*` (Express 4) and `/auth/{*rest}` (Express 5) mean the same as
 * `/auth`. The path of the mount takes precedence over `basePath`. Without a path, the handler answers below
 * `basePath` and passes all other requests on. To answer at the root, set `basePath: '/'`.
 *
 * A body parser may run before the handler. Exceptions go to the application's error handlers.
 *
 * @param config The configuration. It is checked with the first request.
 * @param env Environment variables, read with the first request. Default: `process.env`.
 */
export function ExpressAuth(config: ExpressAuthConfig, env: Env = process.env): ExpressAuthHandler {
  startBinding({ binding: 'express', config, env, isMounted: true });
  return async (request, response, next) => {
    try {
      const configured = withEnv(config, env);
      const mount = mountOf(request);
      const path = pathOfTarget(request.originalUrl);
      // Without a mount, the root of the site belongs to the application, unless the configuration says otherwise.
      const mounts = [mount, request.baseUrl].filter((each) => each !== '');
      const { config: own } = configured;
      const basePath = basePathFor(withoutQuery(path), [...mounts, own.basePath ?? ''], own);
      if (basePath === undefined && mount === '') return next();
      const url = { origin: originOf(request), path, basePath: basePath ?? mount, clientAddress: request.ip };
      await answerNodeRequest(request, response, configured, url);
    } catch (error) {
      next(withStatus(error));
    }
  };
}
