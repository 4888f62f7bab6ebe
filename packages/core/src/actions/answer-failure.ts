import { errorOf } from '../config/hooks.ts';
import type { Log } from '../config/logger.ts';
import { redact } from '../config/redact.ts';
import type { Reply } from '../context.ts';
import { BadRequest } from '../errors/bad-request.ts';
import { AuthError, UnknownAction } from '../errors.ts';
import type { Entered } from '../guards/admit.ts';
import { badRequest, failureReply } from './failure.ts';
import { urlReply, wantsUrl } from './wants-url.ts';

/**
 * The answer to a request that failed, as its client wants to have it: those that asked to be told where to go are told.
 *
 * @throws {AuthError} the error itself, in raw mode.
 */
export async function toldFailure(entered: Entered, thrown: unknown): Promise<Reply> {
  const reply = await failureReply(entered, thrown);
  return wantsUrl(entered.incoming) ? urlReply(reply) : reply;
}

/** The answer to a request that could not be read: nearly always that is its own fault. */
export async function unreadableReply(error: unknown, method: string, logger: Log): Promise<Reply> {
  if (error instanceof AuthError && !(error instanceof UnknownAction)) {
    await logger.error(error);
    return SEE_LOG;
  }
  logger.debug('bad request', () => redact({ reason: errorOf(error).message, method }));
  return badRequest(error instanceof BadRequest ? error.status : 400);
}

const SEE_LOG: Reply = { status: 500, body: { message: "The server's log tells what is wrong." } };

/** The answer in place of one that cannot be written. */
export async function unwritableReply(error: unknown, logger: Log): Promise<Reply> {
  await logger.error(
    new AuthError(
      'the answer cannot be written. Return plain data from `callbacks.session`, and use cookie options that RFC 6265 allows',
      { err: errorOf(error) },
    ),
  );
  return SEE_LOG;
}
