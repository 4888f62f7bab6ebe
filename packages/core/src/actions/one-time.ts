import { attempt } from '../chain.ts';
import { errorOf } from '../config/hooks.ts';
import type { Context, Reply } from '../context.ts';
import { AuthError, CallbackRouteError } from '../errors.ts';
import type { Awaitable, Cookie } from '../types.ts';
import { failureReply, isForCaller } from './failure.ts';

/**
 * An answer that carries the cookies which take one-time values out of the browser, whatever becomes of the sign-in.
 *
 * @param cookies They clear what has been read.
 */
export function oneTime(
  context: Context,
  provider: string,
  cookies: readonly Cookie[],
  work: () => Awaitable<Reply>,
): Awaitable<Reply> {
  return attempt(
    work,
    (reply) => ({ ...reply, cookies: [...cookies, ...(reply.cookies ?? [])] }),
    async (thrown) => {
      const error = thrown instanceof AuthError ? thrown : new CallbackRouteError(errorOf(thrown), { provider });
      if (isForCaller(context, error)) throw error;
      return { ...(await failureReply(context, error)), cookies };
    },
  );
}
