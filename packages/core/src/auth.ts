import { misconfigurationOf } from './actions/misconfiguration.ts';
import { readSession } from './actions/session.ts';
import { attempt, chain, rescue } from './chain.ts';
import { lazily } from './config/lazy.ts';
import type { Log } from './config/logger.ts';
import { type Settings, settingsFor } from './config/settings.ts';
import type { CallOptions, Incoming, Reply } from './context.ts';
import { readRequest } from './entry/read.ts';
import { admit, type Entered, enter, withCookies } from './guards/admit.ts';
import { raw } from './symbols.ts';
import type { AuthConfig, Awaitable, ResponseInternal } from './types.ts';
import { toResponse } from './wire/reply.ts';

// What nearly every request asks for is at hand.
const others = lazily(async () => (await import('./actions/act.ts')).act);
const failures = lazily(() => import('./actions/answer-failure.ts'));

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

/** Headers and cookies as copies: those of some replies are the same for all visitors, and a caller may add to its own. */
function rawOf({ json, headers, cookies, refused: _, bare: __, ...reply }: Reply): ResponseInternal {
  const own = { ...reply, ...(headers && { headers: { ...headers } }), ...(cookies && { cookies: [...cookies] }) };
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

async function unwritable(error: unknown, logger: Log): Promise<Response> {
  const { unwritableReply } = await failures();
  return toResponse(await unwritableReply(error, logger));
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
  return unreadableReply(error, method, logger);
}

function answer(entered: Entered): Awaitable<Reply> {
  return rescue(
    () => chain(misconfigurationOf(entered), (wrong) => (wrong ? wrong.reply(entered) : act(entered))),
    (error) => failed(entered, error),
  );
}

async function failed(entered: Entered, error: unknown): Promise<Reply> {
  const { toldFailure } = await failures();
  return toldFailure(entered, error);
}

function act(entered: Entered): Awaitable<Reply> {
  if (entered.action === 'session' && entered.incoming.method === 'GET') return session(entered);
  return chain(others(), (actOn) => actOn(entered));
}

function session(entered: Entered): Awaitable<Reply> {
  return chain(admit(entered), ({ context }) => chain(readSession(context), (reply) => withCookies(context, reply)));
}
