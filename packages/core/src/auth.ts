import { failures, problemReply } from './actions/configuration.ts';
import { asRedirectOrJson } from './actions/replies.ts';
import { routes } from './actions/routes.ts';
import { type Settings, settingsFor, withCurrentProviders } from './config/settings.ts';
import type { CallOptions, Incoming, Reply, Route, RoutedRequest, Routes } from './context.ts';
import { readRequest } from './entry/request.ts';
import { because, MissingCSRF, UnknownAction } from './errors.ts';
import { createContext, routeRequest, withCookies, withDueCookies } from './guards/create-context.ts';
import { formRefusal } from './guards/csrf.ts';
import { raw } from './symbols.ts';
import type { AuthConfig, ResponseInternal } from './types/config.ts';
import { toResponse } from './wire/reply.ts';

/**
 * Answers a request to one of the actions: signs in and out, reads the session.
 *
 * ```ts
 * const response = await Auth(request, { providers: [GitHub], secret, trustHost: true });
 * ```
 *
 * @param request The request; its path is `<basePath>/<action>[/<provider>]`.
 * @param config The configuration. Values that derive from it are computed once and cached with it.
 * @param call Facts that the host framework knows better than the request and the configuration. Default: `{}`.
 * @returns The response. With `raw: raw` in the configuration it is a {@link ResponseInternal}, and an {@link
 *   AuthError} is thrown instead of answered.
 */
export function Auth(request: Request, config: AuthConfig & { raw: typeof raw }): Promise<ResponseInternal>;
/**
 * Answers a request to one of the actions with a `Response`. Failures are responses, too: the promise does not reject.
 *
 * ```ts
 * const response = await Auth(request, { providers: [GitHub], secret, trustHost: true });
 * ```
 */
export function Auth(request: Request, config: Omit<AuthConfig, 'raw'>, call?: CallOptions): Promise<Response>;
export async function Auth(
  request: Request,
  config: AuthConfig,
  call: CallOptions = {},
): Promise<Response | ResponseInternal> {
  const wantsRaw = config.raw === raw;
  const settings = settingsFor(config);
  const reply = await handle(readRequest(request), settings, wantsRaw ? { ...call, raw: true } : call);
  if (wantsRaw && !reply.refused) return rawOf(reply);
  try {
    return toResponse(reply);
  } catch (error) {
    // A session that JSON cannot carry, or a cookie attribute that cannot stand in a header, is found only here.
    const { unwritableReply } = await failures();
    return toResponse(unwritableReply(error, settings.logger));
  }
}

/** Headers and cookies as copies: some replies are shared by all visitors, and a caller may change its own. */
function rawOf({ json, headers, cookies, refused: _, bare: __, ...reply }: Reply): ResponseInternal {
  const own = { ...reply, ...(headers && { headers: { ...headers } }), ...(cookies && { cookies: [...cookies] }) };
  return json === undefined ? own : { ...own, body: JSON.parse(json) };
}

/**
 * Answers a request as plain data. `Auth` calls it, and so do bindings to frameworks without `Request` and `Response`.
 *
 * @throws {AuthError} in raw mode only; otherwise every failure is a reply.
 */
export function handle(incoming: Incoming, settings: Settings, call: CallOptions = {}): Promise<Reply> {
  return dispatch(routes, incoming, settings, call);
}

/**
 * Answers a request by a route of the caller, in the place of the action that the path names. The request is checked
 * and gets its context as for an action of the table.
 *
 * @throws {AuthError} in raw mode only; otherwise every failure is a reply.
 */
export function handleWith(route: Route, incoming: Incoming, settings: Settings, call: CallOptions): Promise<Reply> {
  return dispatch(routes, incoming, settings, call, route);
}

/**
 * The journey of a request, from its path to its reply.
 *
 * @param table Which action answers which path and method.
 * @param own The route that answers. Default: that of the table.
 * @throws {AuthError} in raw mode only; otherwise every failure is a reply.
 */
export async function dispatch(
  table: Routes,
  incoming: Incoming,
  settings: Settings,
  call: CallOptions,
  own?: Route,
): Promise<Reply> {
  let request: RoutedRequest | undefined;
  try {
    request = await routeRequest(table, incoming, settings, call);
    const { action } = request;
    const route = own ?? table[action]?.[incoming.method === 'GET' ? 'GET' : 'POST'];
    if (!route?.withoutProviders) request = { ...request, settings: withCurrentProviders(settings) };
    const problem = await problemReply(request, route);
    if (problem) return problem;
    if (!route) throw new UnknownAction(`the action ${action} does not answer ${incoming.method}`, { action });
    return asRedirectOrJson(request, await answer(request, route));
  } catch (error) {
    const { failureReply, unreadableReply } = await failures();
    if (!request) return unreadableReply({ incoming, settings, call }, error);
    return withDueCookies(request, await failureReply(request, error));
  }
}

async function answer(request: RoutedRequest, route: Route): Promise<Reply> {
  if (route.bare) return (await route.load())(request);
  const context = await createContext(request);
  const isForm = typeof route.csrf === 'function' ? await route.csrf(context) : route.csrf;
  const refused = isForm ? formRefusal(context) : undefined;
  if (refused) {
    const { action } = request;
    const words = 'the CSRF token was missing or wrong, or the request came from another site';
    throw because(refused, new MissingCSRF(words, { action }));
  }
  const action = await route.load();
  return withCookies(context, await action(context));
}
