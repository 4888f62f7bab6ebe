import { limits } from '../../config/defaults.ts';
import type { OAuthProvider } from '../../config/provider.ts';
import { isOriginFixed } from '../../config/settings.ts';
import type { Context, Fields } from '../../context.ts';
import { openIfValid, seal } from '../../crypto/seal.ts';
import { AuthError, InvalidCheck, OAuthCallbackError } from '../../errors.ts';
import type { Warning } from '../../log/logger.ts';
import { kinds, type PostedFields } from '../../pending/kinds.ts';
import { begin, take } from '../../pending/pending.ts';

// Answers that do not reach the callback directly: through the redirect proxy, or posted by the provider.

/** Salt under which Auth.js v5 seals a state that another deployment reads. */
const SALT = 'encodedState';

/**
 * Returns a state that tells the redirect proxy, which has the same secret, to which deployment the answer belongs.
 *
 * @throws {AuthError} if a header of the request may have named this deployment's origin. Otherwise a client that
 * forges the header could have the code of another visitor handed to an origin of its choice.
 */
export async function proxyState(
  context: Context,
  { id, callbackUrl }: OAuthProvider,
  random: string,
): Promise<string> {
  const { settings, now } = context;
  if (!isOriginFixed(context)) {
    throw new AuthError(
      `provider "${id}": the redirect proxy must know the origin of this deployment for certain, and it was read from the request (${context.origin}). Set AUTH_URL on this deployment`,
      { provider: id },
    );
  }
  // `fixed` tells the proxy that the origin can be relied on. Auth.js v5 ignores it.
  const payload = { random, origin: callbackUrl, fixed: true };
  return seal(payload, { secrets: settings.sealingSecrets, salt: SALT, maxAge: limits.flowAge, now });
}

/**
 * Returns where the redirect proxy forwards an answer that belongs to another deployment; `undefined` if it belongs to
 * this one.
 *
 * @throws {OAuthCallbackError} if that deployment is not among `redirectProxyOrigins`.
 * @throws {AuthError} if there is no such list, and that deployment did not know its origin for certain.
 */
export async function forwardToDeployment(
  context: Context,
  provider: OAuthProvider,
  params: URLSearchParams,
): Promise<string | undefined> {
  const state = params.get('state');
  if (provider.proxy !== 'self' || state === null) return undefined;
  const target = await targetOf(context, state);
  if (target === undefined || target.callback.origin === context.origin) return undefined;
  checkTarget(context, provider, target);
  return `${target.callback.origin}${target.callback.pathname}?${params}`;
}

function checkTarget({ settings }: Context, { id }: OAuthProvider, { callback, isFixed }: Target): void {
  const { origin } = callback;
  const { redirectProxyOrigins: list } = settings.config;
  if (!list) {
    if (isFixed) {
      settings.logger.warn(PROXY_OPEN);
      return;
    }
    throw new AuthError(
      `the answer belongs to the deployment ${origin}, which did not know its origin for certain. If it is yours, add ${origin} to \`redirectProxyOrigins\` (AUTH_REDIRECT_PROXY_ORIGINS), or set AUTH_URL there`,
      { provider: id, origin },
    );
  }
  if (list.some((pattern) => matches(pattern, origin))) return;
  throw new OAuthCallbackError(
    `the answer belongs to the deployment ${origin}, which is not among \`redirectProxyOrigins\``,
    { provider: id, origin },
  );
}

const PROXY_OPEN: Warning = {
  code: 'redirect-proxy-open',
  words:
    'the redirect proxy forwards answers to every deployment that has the same secret. Set `redirectProxyOrigins`.',
};

/** The deployment to which an answer belongs. */
interface Target {
  readonly callback: URL;
  /** The deployment says that no header of a request could change its origin. */
  readonly isFixed: boolean;
}

/** Returns the target in a sealed state; `undefined` for the plain states of this deployment's own sign-ins. */
async function targetOf({ settings, now }: Context, state: string): Promise<Target | undefined> {
  const payload = await openIfValid(state, { secrets: settings.sealingSecrets, salt: SALT, now });
  const address = payload?.['origin'];
  if (typeof address !== 'string' || !URL.canParse(address)) return undefined;
  const callback = new URL(address);
  if (callback.protocol !== 'https:' && callback.protocol !== 'http:') return undefined;
  return { callback, isFixed: payload?.['fixed'] === true };
}

/** Returns whether an origin matches a pattern. `*` stands for characters within one label of the host name. */
function matches(pattern: string, origin: string): boolean {
  const literal = pattern
    .replace(/\/$/, '')
    .split('*')
    .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${literal.join('[a-z0-9-]+')}$`, 'i').test(origin);
}

/** Characters of posted fields at most: their sealed form has to fit into a URL. */
const POSTED_LENGTH = 5000;

/**
 * Returns where a provider's cross-site POST (OAuth 2.0 Form Post Response Mode) is redirected: to the callback by GET,
 * with the fields sealed. Browsers send Lax cookies with that GET, but not with the POST.
 *
 * @throws {InvalidCheck} if the fields are too long.
 */
export async function formPostRedirect(context: Context, provider: OAuthProvider): Promise<string> {
  const fields = textFields(context.body);
  if (JSON.stringify(fields).length > POSTED_LENGTH)
    throw new InvalidCheck('the posted answer is too long', { provider: provider.id });
  const sealed = await begin(context, 'formPost', { provider: provider.id, value: fields });
  return `${provider.callbackUrl}?${new URLSearchParams({ [kinds.formPost.query]: sealed })}`;
}

/** Fields that occur twice stay so: `finishOAuth` refuses them. */
function textFields(body: Fields): PostedFields {
  return Object.entries(body).flatMap(([name, value]) =>
    [value].flat().flatMap((one): [string, string][] => (typeof one === 'string' ? [[name, one]] : [])),
  );
}

/**
 * Returns the posted fields from the callback's query.
 *
 * @throws {InvalidCheck} if they are missing, too old, or of another provider.
 */
export async function postedFields(context: Context, provider: OAuthProvider): Promise<URLSearchParams> {
  const posted = await take(context, 'formPost', { provider: provider.id });
  const params = new URLSearchParams();
  for (const [name, value] of await posted.spend()) params.append(name, value);
  return params;
}
