import { chain } from '../chain.ts';
import type { Reply } from '../context.ts';
import { MissingCSRF, UnknownAction } from '../errors.ts';
import { type Admitted, admit, type Entered, withCookies } from '../guards/admit.ts';
import { bareContext } from '../guards/bare-context.ts';
import { isVerified } from '../guards/verified.ts';
import type { Awaitable } from '../types.ts';
import { type ActionRoute, actions } from './index.ts';
import { urlReply, wantsUrl } from './wants-url.ts';

/**
 * Carries out whatever a request asks for.
 *
 * @throws {UnknownAction} when the action does not answer the method.
 * @throws {MissingCSRF} when the request does not come from one of our forms, and has to.
 */
export function act(entered: Entered): Awaitable<Reply> {
  const { action, incoming } = entered;
  const route = actions[action][incoming.method as 'GET' | 'POST'];
  if (!route) throw new UnknownAction(`the action ${action} does not answer ${incoming.method}`, { action });
  if (route.bare)
    return chain(route.load(), (run) => chain(run(bareContext(entered)), (reply) => told(entered, reply)));
  return chain(admit(entered), (admitted) => {
    checkForm(route, admitted);
    const { context } = admitted;
    return chain(route.load(), (run) => chain(run(context), (reply) => told(context, withCookies(context, reply))));
  });
}

/** @throws {MissingCSRF} */
function checkForm({ csrf }: ActionRoute, admitted: Admitted): void {
  const { context } = admitted;
  const isNeeded = typeof csrf === 'function' ? csrf(context) : csrf;
  if (!isNeeded || isVerified(admitted)) return;
  const { action } = context;
  throw new MissingCSRF(`the CSRF token was missing or wrong, or the request came from another site`, { action });
}

function told({ incoming, call }: Entered, reply: Reply): Reply {
  return reply.redirect !== undefined && wantsUrl(incoming) && !call.raw ? urlReply(reply) : reply;
}
