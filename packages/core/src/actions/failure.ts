import { errorOf } from '../config/hooks.ts';
import type { Reply } from '../context.ts';
import { AuthError, CredentialsSignin, UnknownAction } from '../errors.ts';
import type { Entered } from '../guards/admit.ts';
import { pageAddress } from './page-path.ts';
import { newReference } from './reference.ts';
import { wantsUrl } from './wants-url.ts';

/** The answer to a request that cannot be understood. */
export function badRequest(status: 400 | 413 = 400): Reply {
  return { status, headers: { 'content-type': 'application/json' }, body: 'Bad request.', refused: true };
}

/** Is the error for the caller, who asked for raw replies? Then it is thrown, and not answered. */
export function isForCaller({ call, incoming }: Entered, error: unknown): error is AuthError {
  return call.raw === true && !wantsUrl(incoming) && error instanceof AuthError;
}

/**
 * The answer to a request that failed: the error is logged, and the visitor is sent to the page that tells about its kind, by
 * a stable code. What is the owner's to mend goes into the log under a reference that the visitor can tell; in development
 * the page says it itself.
 *
 * @throws {AuthError} the error itself, in raw mode.
 */
export async function failureReply(entered: Entered, thrown: unknown): Promise<Reply> {
  const { settings, action, incoming, call } = entered;
  if (isForCaller(entered, thrown)) {
    await settings.logger.error(thrown);
    throw thrown;
  }
  const error = errorOf(thrown);
  const shown = shownBy(error);
  const reference = shown === AuthError.shown && !(error instanceof UnknownAction) ? newReference() : undefined;
  const logged = reference === undefined ? error : withReference(error, reference);
  await settings.logger.error(logged);
  if (error instanceof UnknownAction) return badRequest();
  if (action === 'session' && incoming.method === 'POST') {
    return { status: 400, headers: { 'content-type': 'application/json' }, body: null, refused: true };
  }
  if (reference !== undefined && call.development && !wantsUrl(incoming)) return explained(entered, logged, reference);
  return redirectTo(entered, error, { error: shown, code: codeOf(error), reference });
}

/** The value of `?error=`. What is no error of ours is told to nobody. */
function shownBy(error: Error): string {
  return error instanceof AuthError ? (error.constructor as typeof AuthError).shown : AuthError.shown;
}

function codeOf(error: Error): string | undefined {
  return error instanceof CredentialsSignin ? error.code : undefined;
}

function withReference(error: Error, reference: string): AuthError {
  // An application may throw one and the same again and again, and have it frozen.
  const ours = error instanceof AuthError && !Object.isFrozen(error) ? error : new AuthError(error);
  ours.cause = { ...ours.cause, reference };
  return ours;
}

async function explained(entered: Entered, error: Error, reference: string): Promise<Reply> {
  const { errorDetailPage } = await import('./error-detail.ts');
  return { ...(await errorDetailPage(entered, [error], reference)), refused: true };
}

function redirectTo(
  { settings, basePath, origin }: Entered,
  error: Error,
  params: Record<string, string | undefined>,
): Reply {
  const kind = error instanceof AuthError ? error.kind : 'error';
  const page =
    kind === 'signIn' ? (settings.pages.signIn ?? `${basePath}/signin`) : (settings.pages.error ?? `${basePath}/error`);
  return { redirect: pageAddress(origin, page, params), refused: true };
}
