import { errorOf } from '../config/hooks.ts';
import type { Context, Reply } from '../context.ts';
import { AuthError, CallbackRouteError } from '../errors.ts';
import type { Cookie } from '../types.ts';
import { failureReply, isForCaller } from './failure.ts';

/**
 * An answer that carries the cookies which take one-time values out of the browser, whatever becomes of the sign-in.
 *
 * @param cookies They clear what has been read.
 */
export async function oneTime(
  context: Context,
  provider: string,
  cookies: readonly Cookie[],
  work: () => Promise<Reply>,
): Promise<Reply> {
  try {
    const reply = await work();
    return { ...reply, cookies: [...cookies, ...(reply.cookies ?? [])] };
  } catch (thrown) {
    const error = thrown instanceof AuthError ? thrown : new CallbackRouteError(errorOf(thrown), { provider });
    if (isForCaller(context, error)) throw error;
    return { ...(await failureReply(context, error)), cookies };
  }
}
