import { attempt } from '../chain.ts';
import { errorOf } from '../config/hooks.ts';
import type { Context } from '../context.ts';
import { AccessDenied, AuthError } from '../errors.ts';
import type { Awaitable, SignInCallbackParams } from '../types.ts';

/** The application's answer to "may this visitor sign in?"; `elsewhere` is where to go instead, not yet judged. */
export type Allowed = { readonly go: true } | { readonly go: false; readonly elsewhere: string };

/**
 * The one gate that every way to sign in passes: asks the `signIn` callback.
 *
 * @throws {AccessDenied} when it returns a falsy value or throws; an {@link AuthError} that it throws passes unchanged.
 */
export function allow(context: Context, params: SignInCallbackParams): Awaitable<Allowed> {
  return attempt<unknown, Allowed>(() => context.settings.callbacks.signIn(params), judged, refused);
}

function judged(answer: unknown): Allowed {
  if (typeof answer === 'string' && answer !== '') return { go: false, elsewhere: answer };
  if (!answer) throw new AccessDenied('the `signIn` callback refused');
  return { go: true };
}

function refused(error: unknown): never {
  throw error instanceof AuthError ? error : new AccessDenied(errorOf(error));
}
