import {
  applyBeforeHead,
  cachedVisit,
  type Env,
  nodeRequest,
  originFrom,
  processEnv,
  type ServerFunctions,
  serverFunctions,
  statusOf,
  Visit,
  withEnv,
} from '@latchkey/core/binding';
import { ExpressAuth, type ExpressAuthConfig, type ExpressAuthHandler } from '@latchkey/express';
import {
  type CanActivate,
  type ExecutionContext,
  HttpException,
  HttpStatus,
  Injectable,
  type Type,
  UnauthorizedException,
} from '@nestjs/common';
import type { Request } from 'express';

/** The functions of an application on Nest with the platform Express. */
interface NestAuthResult extends ServerFunctions<Request> {
  /** Answers the actions below `basePath`: `app.use(handler)`. */
  readonly handler: ExpressAuthHandler;
  /** Only signed-in visitors pass. Browsers are redirected to the sign-in page; others get 401. */
  readonly SessionGuard: Type<CanActivate>;
}

/**
 * Connects a configuration to Nest 11 and 12. The origin and the visitor's address follow the setting `trust proxy`.
 *
 * ```ts
 * export const { handler, auth, SessionGuard } = NestAuth({ providers: [GitHub] });
 * app.use(handler);
 *
 * @Controller('account')
 * @UseGuards(SessionGuard)
 * export class AccountController {}
 * ```
 *
 * @param env Environment variables. Default: those of the process.
 */
export function NestAuth(config: ExpressAuthConfig, env: Env = processEnv()): NestAuthResult {
  const visitOf = (request: Request): Visit => {
    const configured = withEnv(config, env, '/auth');
    return cachedVisit(request, configured, () => {
      const visit = new Visit(configured, {
        ...nodeRequest(request),
        origin: originFrom(request.protocol, request.host),
        path: targetOf(request),
        clientAddress: request.ip,
        canSetCookies: () => request.res?.headersSent === false,
        // A handler may write a part of the response, and then ask for the session.
        streams: true,
      });
      if (request.res) applyBeforeHead(request.res, visit);
      return visit;
    });
  };

  @Injectable()
  class SessionGuard implements CanActivate {
    async canActivate(context: ExecutionContext): Promise<boolean> {
      const request = context.switchToHttp().getRequest<Request>();
      const access = await visitOf(request).access().catch(asHttpException);
      if (access.kind === 'pass') return true;
      if (access.kind === 'refuse') throw new UnauthorizedException(access.error.message);
      // Nest keeps the headers of a response that an exception ends.
      request.res?.location(access.url);
      throw new HttpException('Sign in first.', HttpStatus.FOUND);
    }
  }

  const functions = serverFunctions<Request>(visitOf);
  return {
    ...functions,
    auth: (request) => functions.auth(request).catch(asHttpException),
    handler: ExpressAuth(config, env),
    SessionGuard,
  };
}

/** Returns path and query. The host of an absolute address in the request line does not count (RFC 9112 §3.2.2). */
function targetOf({ originalUrl }: Request): string {
  return originalUrl.replace(/^https?:\/\/[^/?]*/i, '');
}

/** Nest shows the message of other errors to visitors. That of an `AuthError` is for the operator of the site. */
function asHttpException(error: unknown): never {
  const status = statusOf(error);
  if (status === undefined) throw error;
  throw new HttpException(status === 400 ? 'Bad Request' : 'Internal Server Error', status, { cause: error });
}
