import { type ActionRoute, actions } from './actions/index.ts';
import { type Misconfiguration, misconfigurationOf } from './actions/misconfiguration.ts';
import { wantsUrl } from './actions/wants-url.ts';
import { attempt, chain } from './chain.ts';
import { lazily } from './config/lazy.ts';
import { type Settings, settingsFor } from './config/settings.ts';
import type { CallOptions, Context, Incoming, Reply } from './context.ts';
import { BadRequest } from './entry/bad-request.ts';
import { readRequest } from './entry/read.ts';
import { MissingCSRF, UnknownAction } from './errors/session.ts';
import { type Admitted, admit, bareContext, type Entered, enter } from './guards/admit.ts';
import { raw } from './symbols.ts';
import type { AuthConfig, Awaitable, LoggerInstance, ResponseInternal } from './types.ts';
import { toResponse } from './wire/reply.ts';

const failures = lazily(() => import('./actions/failure.ts'));
const configurations = lazily(() => import('./actions/configuration.ts'));

/**
 * Answers a request to one of the actions: signs in and out, tells the session.
 *
 * @param request The request; its path is `<basePath>/<action>[/<provider>]`.
 * @param config The configuration. What can be computed from it is computed once and remembered with it.
 * @param call What the host framework knows better than the request and the configuration. Default: nothing.
 * @returns The response; with `raw: raw` in the configuration a {@link ResponseInternal}, and an {@link AuthError} is thrown
 *   instead of answered.
 */
export function Auth(request: Request, config: AuthConfig & { raw: typeof raw }): Promise<ResponseInternal>;
export function Auth(request: Request, config: Omit<AuthConfig, 'raw'>, call?: CallOptions): Promise<Response>;
export async function Auth(
  request: Request,
  config: AuthConfig,
  call: CallOptions = {},
): Promise<Response | ResponseInternal> {
  const wantsRaw = config.raw === raw;
  const settings = settingsFor(config);
  return chain(handle(readRequest(request), settings, wantsRaw ? { ...call, raw: true } : call), (reply) =>
    wantsRaw && !reply.refused ? rawOf(reply) : responseTo(reply, settings),
  );
}

/** The headers as a copy: those of some replies are the same object for all visitors, and a caller may add to its own. */
function rawOf({ json, headers, refused: _, bare: __, ...reply }: Reply): ResponseInternal {
  const own = headers === undefined ? reply : { ...reply, headers: { ...headers } };
  return (json === undefined ? own : { ...own, body: JSON.parse(json) }) as ResponseInternal;
}

/** A session that JSON cannot carry, or a cookie attribute that cannot stand in a header, is found only when it is written. */
function responseTo(reply: Reply, { logger }: Settings): Awaitable<Response> {
  try {
    return toResponse(reply);
  } catch (error) {
    return unwritable(error, logger);
  }
}

async function unwritable(error: unknown, logger: LoggerInstance): Promise<Response> {
  const { unwritableReply } = await failures();
  return toResponse(unwritableReply(error, logger));
}

/**
 * The journey of a request: plain data in, plain data out. `Auth` is a shell around it, and so is every host framework
 * that need not make a `Request` and a `Response`. It waits only where something has to be waited for.
 *
 * @throws {AuthError} in raw mode only, thrown or rejected with; otherwise every failure is a reply.
 */
export function handle(incoming: Incoming, settings: Settings, call: CallOptions = {}): Awaitable<Reply> {
  return attempt(
    () => enter(incoming, settings, call),
    answer,
    (error) => unreadable(error, incoming, settings),
  );
}

async function unreadable(error: unknown, { method }: Incoming, { logger }: Settings): Promise<Reply> {
  const { unreadableReply } = await failures();
  return unreadableReply(error, error instanceof BadRequest ? error.status : 400, method, logger);
}

function answer(entered: Entered): Awaitable<Reply> {
  return chain(misconfigurationOf(entered), (misconfiguration) =>
    misconfiguration
      ? misconfigured(entered, misconfiguration)
      : attempt(
          () => act(entered),
          (reply) => told(entered, reply),
          (error) => failed(entered, error),
        ),
  );
}

async function misconfigured(entered: Entered, misconfiguration: Misconfiguration): Promise<Reply> {
  const { configurationReply } = await configurations();
  return configurationReply(entered, misconfiguration);
}

async function failed(entered: Entered, error: unknown): Promise<Reply> {
  const { failureReply } = await failures();
  const reply = await failureReply(entered, error);
  return wantsUrl(entered.incoming) ? urlReply(reply) : reply;
}

function told({ incoming, call }: Entered, reply: Reply): Reply {
  return reply.redirect !== undefined && wantsUrl(incoming) && !call.raw ? urlReply(reply) : reply;
}

function act(entered: Entered): Awaitable<Reply> {
  const { action, incoming } = entered;
  const route = actions[action][incoming.method as 'GET' | 'POST'];
  if (!route) throw new UnknownAction(`the action ${action} does not answer ${incoming.method}`, { action });
  if (route.bare) return chain(route.load(), (run) => run(bareContext(entered)));
  return chain(admit(entered), (admitted) =>
    chain(mayAct(route, admitted), () =>
      chain(route.load(), (run) => chain(run(admitted.context), (reply) => withCookies(admitted.context, reply))),
    ),
  );
}

/** @throws {MissingCSRF} */
function mayAct({ csrf }: ActionRoute, { context, csrfVerified }: Admitted): Awaitable<void> {
  return chain(typeof csrf === 'function' ? csrf(context) : csrf, (isNeeded) => {
    if (!isNeeded || csrfVerified) return;
    const { action } = context;
    throw new MissingCSRF(`the CSRF token was missing or wrong, or the request came from another site`, { action });
  });
}

function withCookies({ cookiesToSet, call }: Context, reply: Reply): Reply {
  if (cookiesToSet.length === 0 || reply.refused || reply.bare || call.sessionCookiesOnly) return reply;
  return { ...reply, cookies: [...cookiesToSet, ...(reply.cookies ?? [])] };
}

/** For clients that asked to be told where to go instead of being sent there; the rest of the answer stays. */
function urlReply(reply: Reply): Reply {
  const { redirect, ...rest } = reply;
  if (redirect === undefined) return reply;
  const location = reply.refused ? {} : { location: redirect };
  const headers = { ...rest.headers, 'content-type': 'application/json', ...location };
  return { ...rest, status: 200, headers, body: { url: redirect } };
}
