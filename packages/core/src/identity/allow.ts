import { errorOf } from '../config/hooks.ts';
import type { Context } from '../context.ts';
import { AccessDenied, AuthError } from '../errors.ts';
import type { SignInCallbackParams } from '../types.ts';

/** The application's answer to "may this visitor sign in?"; `elsewhere` is where to go instead, not yet judged. */
export type Allowed = { readonly go: true } | { readonly go: false; readonly elsewhere: string };

/**
 * The one gate that every way to sign in passes: asks the `signIn` callback.
 *
 * @throws {AccessDenied} when it returns a falsy value or throws; an {@link AuthError} that it throws passes unchanged.
 */
export async function allow(context: Context, params: SignInCallbackParams): Promise<Allowed> {
  const answer = await ask(context, params);
  if (typeof answer === 'string' && answer !== '') return { go: false, elsewhere: answer };
  if (!answer) throw new AccessDenied('the `signIn` callback refused');
  return { go: true };
}

async function ask(context: Context, params: SignInCallbackParams): Promise<unknown> {
  try {
    return await context.settings.callbacks.signIn(params);
  } catch (error) {
    if (error instanceof AuthError) throw error;
    throw new AccessDenied(errorOf(error));
  }
}
