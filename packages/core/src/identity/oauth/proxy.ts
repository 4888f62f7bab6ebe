import { limits } from '../../config/defaults.ts';
import type { Warning } from '../../config/logger.ts';
import type { OAuthProvider } from '../../config/provider.ts';
import type { Context } from '../../context.ts';
import { openIfValid, seal } from '../../crypto/seal.ts';
import { OAuthCallbackError } from '../../errors.ts';
import type { Awaitable } from '../../types.ts';

/** Salt that the family seals a state under which another deployment must read. */
const SALT = 'encodedState';

/** A state that tells the redirect proxy, which shares our secret, where the answer belongs. */
export async function proxyState(context: Context, random: string, callbackUrl: string): Promise<string> {
  const { settings, now } = context;
  const payload = { random, origin: callbackUrl };
  return seal(payload, { secrets: settings.sealingSecrets, salt: SALT, maxAge: limits.flowAge, now });
}

/**
 * On the redirect proxy: where an answer goes that belongs to another deployment. `undefined` for our own.
 *
 * @throws {OAuthCallbackError} when that deployment is not among `redirectProxyOrigins`.
 */
export function handOn(
  context: Context,
  provider: OAuthProvider,
  params: URLSearchParams,
): Awaitable<string | undefined> {
  const state = params.get('state');
  return provider.proxy === 'self' && state !== null ? homeward(context, provider, params, state) : undefined;
}

async function homeward(
  context: Context,
  provider: OAuthProvider,
  params: URLSearchParams,
  state: string,
): Promise<string | undefined> {
  const home = await homeOf(context, state);
  if (home === undefined || home.origin === context.origin) return undefined;
  const { config, logger } = context.settings;
  if (!config.redirectProxyOrigins) logger.warn(PROXY_OPEN);
  else if (!config.redirectProxyOrigins.some((pattern) => matches(pattern, home.origin))) {
    throw new OAuthCallbackError('the answer belongs to a deployment that is not among `redirectProxyOrigins`', {
      provider: provider.id,
      origin: home.origin,
    });
  }
  return `${home.origin}${home.pathname}?${params}`;
}

const PROXY_OPEN: Warning = {
  code: 'redirect-proxy-open',
  words: 'answers are handed on to every origin that shares the secret. Set `redirectProxyOrigins`.',
};

/** The callback address in a sealed state; states of our own sign-ins are no tokens. */
async function homeOf({ settings, now }: Context, state: string): Promise<URL | undefined> {
  const payload = await openIfValid(state, { secrets: settings.sealingSecrets, salt: SALT, now });
  const address = payload?.origin;
  if (typeof address !== 'string' || !URL.canParse(address)) return undefined;
  const url = new URL(address);
  return url.protocol === 'https:' || url.protocol === 'http:' ? url : undefined;
}

/** Does the origin fit the pattern? `*` stands for the inside of one label. */
function matches(pattern: string, origin: string): boolean {
  const literal = pattern
    .replace(/\/$/, '')
    .split('*')
    .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${literal.join('[a-z0-9-]+')}$`, 'i').test(origin);
}
