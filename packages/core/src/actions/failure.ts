import type { Reply } from '../context.ts';
import { AuthError, CredentialsSignin, UnknownAction } from '../errors.ts';
import type { Entered } from '../guards/admit.ts';
import { pagePath } from './page-path.ts';

/** The answer to a request that cannot be understood. */
export function badRequest(status: 400 | 413 = 400): Reply {
  return { status, headers: { 'content-type': 'application/json' }, body: 'Bad request.', refused: true };
}

/** Is the error for the caller, who asked for raw replies? Then it is thrown, and not answered. */
export function isForCaller({ call, incoming }: Entered, error: unknown): error is AuthError {
  return call.raw === true && incoming.header('x-auth-return-redirect') === undefined && error instanceof AuthError;
}

/**
 * The answer to a request that failed: the error is logged, and the visitor is sent to the page that tells about its kind,
 * by a stable code.
 */
export function failureReply(entered: Entered, error: Error): Reply {
  const { settings, origin, action, incoming } = entered;
  settings.logger.error(error);
  if (error instanceof UnknownAction) return badRequest();
  if (action === 'session' && incoming.method === 'POST') {
    return { status: 400, headers: { 'content-type': 'application/json' }, body: null, refused: true };
  }
  const page = errorPageOf(entered, error);
  const code = error instanceof CredentialsSignin ? error.code : undefined;
  const path = pagePath(page, { error: shownBy(error), code });
  return { redirect: path.startsWith('/') ? origin + path : path, refused: true };
}

/** The value of `?error=`. What is no error of ours is told to nobody. */
function shownBy(error: Error): string {
  return error instanceof AuthError ? (error.constructor as typeof AuthError).shown : AuthError.shown;
}

function errorPageOf({ settings, basePath }: Entered, error: Error): string {
  const kind = error instanceof AuthError ? error.kind : 'error';
  if (kind === 'signIn') return settings.pages.signIn ?? `${basePath}/signin`;
  return settings.pages.error ?? `${basePath}/error`;
}
