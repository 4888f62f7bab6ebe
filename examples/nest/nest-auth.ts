import {
  applyBeforeHead,
  asVisitorError,
  cachedVisit,
  type Env,
  nodeRequest,
  originFrom,
  pathOfTarget,
  processEnv,
  type ServerFunctions,
  serverFunctions,
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
        path: pathOfTarget(request.originalUrl),
        clientAddress: request.ip,
        canSetCookies: () => request.res?.headersSent === false,
        // A handler may write a part of the response, and then ask for the session.
        streams: true,
      });
      if (request.res) applyBeforeHead(request.res, visit);
      return visit;
    });
  };

  const functions = serverFunctions<Request>(visitOf, { mapError: asVisitorError });

  @Injectable()
  class SessionGuard implements CanActivate {
    async canActivate(context: ExecutionContext): Promise<boolean> {
      const request = context.switchToHttp().getRequest<Request>();
      await functions.auth(request);
      const access = await visitOf(request).access();
      if (access.kind === 'pass') return true;
      if (access.kind === 'refuse') throw new UnauthorizedException(access.error.message);
      // Nest keeps the headers of a response that an exception ends.
      request.res?.location(access.url);
      throw new HttpException('Sign in first.', HttpStatus.FOUND);
    }
  }

  return { ...functions, handler: ExpressAuth(config, env), SessionGuard };
}
