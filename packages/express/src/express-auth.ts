import type { AuthConfig } from '@latchkey/core';
import { answerNodeRequest, basePathFor, type Env, type NodePlace, withEnv } from '@latchkey/core/binding';
import { withStatus } from './failure.ts';
import type { ExpressNext, ExpressRequest, ExpressResponse } from './http.ts';
import { mountOf, originOf, pathOf, withoutQuery } from './place.ts';

/** The configuration, as for `Auth()`. */
export type ExpressAuthConfig = Omit<AuthConfig, 'raw'>;

/** A request handler of Express 4 and 5. */
export type ExpressAuthHandler = (
  request: ExpressRequest,
  response: ExpressResponse,
  next: ExpressNext,
) => Promise<void>;

/**
 * The handler that signs visitors in and out and tells them their session.
 *
 * ```ts
 * app.set('trust proxy', 1); // the number of proxies in front
 * app.use('/auth', ExpressAuth({ providers: [GitHub] }));
 * ```
 *
 * Mounted below any path; the wildcard forms (`/auth/*` of Express 4, `/auth/{*rest}` of Express 5) are the same. Where it is
 * mounted wins over `basePath`. Mounted without a path, it answers below `basePath` and lets all other requests pass; to have it answer at
 * the root, set `basePath: '/'`.
 * The body may have been parsed before or not. Exceptions go to the application's error handler.
 *
 * @param env Variables of the environment, read with the first request. Default: those of the process.
 */
export function ExpressAuth(config: ExpressAuthConfig, env: Env = process.env): ExpressAuthHandler {
  return async (request, response, next) => {
    try {
      const configured = withEnv(config, env);
      const mount = mountOf(request);
      const path = pathOf(request);
      // Without a mount nothing says that the root is ours, unless the configuration does.
      const mounts = [mount, request.baseUrl].filter((path) => path !== '');
      const basePath = basePathFor(withoutQuery(path), [...mounts, configured.config.basePath ?? '']);
      if (basePath === undefined && mount === '') return next();
      const place = new ExpressPlace(request, path, basePath ?? mount);
      await answerNodeRequest(request, response, configured, place);
    } catch (error) {
      next(withStatus(error));
    }
  };
}

class ExpressPlace implements NodePlace {
  readonly origin: string;
  readonly path: string;
  readonly basePath: string;
  readonly #request: ExpressRequest;

  constructor(request: ExpressRequest, path: string, basePath: string) {
    this.origin = originOf(request);
    this.path = path;
    this.basePath = basePath;
    this.#request = request;
  }

  /** Express looks through all proxies for it. */
  get clientAddress(): string | undefined {
    return this.#request.ip;
  }
}
