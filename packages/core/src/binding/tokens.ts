import { handleWith } from '../auth.ts';
import { type Settings, settingsFor } from '../config/settings.ts';
import type { Context, Reply, Route } from '../context.ts';
import { AuthError, errorOf } from '../errors.ts';
import { lazily } from '../lazy.ts';
import type { Warning } from '../log/logger.ts';
import type { VisitorTokens } from '../types/tokens.ts';
import type { Awaitable } from '../types/user.ts';
import { actionRequest } from './incoming.ts';
import { type Host, type ServerCall, serverCall } from './server-call.ts';
import { replyError } from './session.ts';
import { requireSameOrigin, type Visitor } from './sessions.ts';

const loadTokens = lazily(() => import('../tokens/visitor.ts'));

/**
 * Returns the functions that use the provider tokens of a visitor.
 *
 * ```ts
 * const tokens = tokensOfVisitor(() => ({ configured: withEnv(config, process.env), host }));
 * const { accessToken } = await tokens.get('google');
 * ```
 *
 * @param open Called with each call of a function.
 * @throws {AuthError} With each call, if the configuration has a problem or lacks `tokens`.
 */
export function tokensOfVisitor(open: () => Awaitable<Visitor>): VisitorTokens {
  return {
    async get(provider, options) {
      const { getOfVisitor } = await loadTokens();
      return withContext(await open(), (context) => getOfVisitor(context, provider, options));
    },
    async fetch(provider, url, init, options) {
      const { apisOf, fetchWithToken, getOfVisitor } = await loadTokens();
      const visitor = await open();
      const apis = await withContext(visitor, async (context) => apisOf(context, provider));
      return fetchWithToken(
        (more) => withContext(visitor, (context) => getOfVisitor(context, provider, more)),
        apis,
        url,
        init,
        options,
      );
    },
    async list() {
      const { listOfVisitor } = await loadTokens();
      return withContext(await open(), listOfVisitor);
    },
    async revoke(provider, options) {
      const { revokeOfVisitor } = await loadTokens();
      return withContext(requireSameOrigin(await open()), (context) => revokeOfVisitor(context, provider, options), {
        isForm: true,
      });
    },
  };
}

/**
 * Refreshes the tokens in the cookie of a visitor if that is due, before a page is rendered that cannot set cookies.
 * Does nothing unless `tokens.store` is `'cookie'`. Failures are logged, and the page gets them from `get`.
 *
 * ```ts
 * await renewTokens({ configured: withEnv(config, process.env), host });
 * ```
 */
export async function renewTokens({ configured, host }: RenewedVisitor): Promise<void> {
  const { tokens, logger } = settingsFor(configured.config);
  if (!tokens?.isInCookie) return;
  try {
    const { renewInCookie } = await loadTokens();
    await withContext({ configured, host }, renewInCookie);
  } catch (error) {
    // The log has an AuthError already.
    if (!(error instanceof AuthError)) logger.error(errorOf(error));
  }
}

/** A request whose tokens {@link renewTokens} refreshes. */
export interface RenewedVisitor extends Pick<Visitor, 'configured'> {
  /** The request. Without `setCookie`, nothing is refreshed. */
  readonly host: Pick<Host, 'origin' | 'basePath' | 'headers' | 'setCookie'>;
}

type Outcome<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: unknown };

/**
 * Runs some work with the context of the visitor's request, as an action gets it. The path is that of the session,
 * because no path of the site leads here.
 *
 * @param isForm The request must prove its origin as a form does, because no other site may cause the work. Default:
 *   `false`.
 */
async function withContext<T>(
  { configured, host }: Visitor,
  work: (context: Context) => Promise<T>,
  { isForm = false }: { readonly isForm?: boolean } = {},
): Promise<T> {
  const call = tokensCall(serverCall(configured, host));
  const { settings } = call;
  let outcome: Outcome<T> | undefined;
  const action = async (context: Context): Promise<Reply> => {
    outcome = await settled(work(context));
    return {};
  };
  const incoming = actionRequest(`${call.base}/session`, host.headers);
  const route: Route = { load: () => action, csrf: isForm };
  const reply = await handleWith(route, incoming, settings, {
    ...call.options,
    renew: 'never',
    cookies: 'session',
    isReadOnly: host.setCookie === undefined,
  });
  setCookies(settings, host, reply);
  if (!outcome) throw replyError(reply);
  if (outcome.ok) return outcome.value;
  throw outcome.error;
}

const NOT_SET: Warning = {
  code: 'token-cookie-late',
  words: 'refreshed tokens could not be set in the browser. Await the call before the response is sent.',
};

/** Sets the cookies of tokens that have changed. The process remembers them for a minute, for the next request. */
function setCookies({ logger }: Settings, { setCookie }: Host, { cookies = [] }: Reply): void {
  try {
    for (const cookie of cookies) setCookie?.(cookie);
  } catch (error) {
    logger.warn(NOT_SET, errorOf(error).message);
  }
}

async function settled<T>(work: Promise<T>): Promise<Outcome<T>> {
  try {
    return { ok: true, value: await work };
  } catch (error) {
    return { ok: false, error };
  }
}

/** @throws {AuthError} if the configuration lacks the option. */
function tokensCall(call: ServerCall): ServerCall {
  if (call.settings.tokens) return call;
  throw new AuthError('the functions of tokens need the option `tokens`. Set it in the configuration');
}
