import { limits } from '../config/defaults.ts';
import { type OAuthProvider, providerOf } from '../config/provider.ts';
import type { Settings } from '../config/settings.ts';
import type { Context, Reply, RoutedRequest } from '../context.ts';
import { errorOf, LogoutTokenError, RateLimited, UnknownAction } from '../errors.ts';
import { endSessionUrl } from '../identity/oauth/end-session.ts';
import { type LogoutToken, readLogoutToken } from '../identity/oauth/logout-token.ts';
import { take } from '../pending/pending.ts';
import { endProviderSessions } from '../session/end.ts';
import { recordStore } from '../session/record-store.ts';
import { idTokenOf, providerKey } from '../session/records.ts';
import { currentFacts, currentRecord } from '../session/session.ts';

/** The provider at which the visitor's session began, and where it can end, too. */
export interface LogoutProvider {
  readonly provider: OAuthProvider;
  /** The ID token of the sign-in, if the record of the session has it. */
  readonly idToken: string | undefined;
}

/**
 * Returns where the visitor's session began; `undefined` if that is not an OpenID provider of the configuration, or not
 * known. Never throws: the sign-out must go on.
 */
export async function logoutProvider(context: Context): Promise<LogoutProvider | undefined> {
  try {
    const { settings } = context;
    const record = settings.records ? await currentRecord(context) : undefined;
    const facts = settings.records ? record : await currentFacts(context);
    const provider = oidcProvider(context, facts?.provider);
    return provider && { provider, idToken: record ? await idTokenOf(settings, record) : undefined };
  } catch (error) {
    context.settings.logger.error(errorOf(error));
    return undefined;
  }
}

/** Returns where the visitor ends the session at the provider; `undefined` if that is not possible. Never throws. */
export async function providerSignOutUrl(
  context: Context,
  { provider, idToken }: LogoutProvider,
): Promise<string | undefined> {
  try {
    return await endSessionUrl(context, provider, idToken);
  } catch (error) {
    context.settings.logger.error(errorOf(error));
    return undefined;
  }
}

/**
 * `GET logout/<provider>`: the visitor comes back from a sign-out at the provider, and goes to the page that the
 * sign-out named. Without a valid `state`, that is the site's root.
 */
export async function afterLogout(context: Context): Promise<Reply> {
  const { settings, providerId = '', origin } = context;
  if (!settings.logout.provider) throw new UnknownAction('`logout.provider` is not set');
  const { value } = await take(context, 'logout', { provider: providerId });
  return { redirect: value?.returnTo ?? origin, bare: true };
}

/**
 * `POST logout/<provider>`: the provider ends sessions (OpenID Connect Back-Channel Logout §2.5). Cookies are not read.
 * The reply does not tell whether there was a session.
 */
export async function backchannelLogout(request: RoutedRequest): Promise<Reply> {
  const { settings, providerId, call } = request;
  if (!settings.logout.backchannel) throw new UnknownAction('`logout.backchannel` is not set');
  const now = call.now?.() ?? new Date();
  let token: LogoutToken;
  try {
    token = await readToken(request, now);
  } catch (error) {
    return refusedReply(request, now, error);
  }
  try {
    if (await isRepeated(settings, now, token))
      return await refusedReply(
        request,
        now,
        new LogoutTokenError('the logout token was handled before', { claim: 'jti' }),
      );
    await endSessionsOf(settings, now, token);
  } catch (error) {
    const facts = { provider: providerId, err: errorOf(error) };
    settings.logger.error(new LogoutTokenError('the sessions of a logout token could not be ended', facts));
    return invalidRequest();
  }
  return { status: 200, headers: noStore, bare: true };
}

/** @throws {LogoutTokenError} if the token is not acceptable. */
async function readToken(request: RoutedRequest, now: Date): Promise<LogoutToken> {
  const { providerId } = request;
  const provider = oidcProvider(request, providerId);
  if (!provider)
    throw new LogoutTokenError('the path names no configured provider of type "oidc"', { provider: providerId });
  return readLogoutToken(request, provider, now);
}

/** Tests whether this process has ended the sessions of the token in this record store. */
async function isRepeated(settings: Settings, now: Date, token: LogoutToken): Promise<boolean> {
  const { logoutTokens } = await recordStore(settings);
  const at = logoutTokens.get(await tokenKey(token));
  return at !== undefined && now.getTime() - at < limits.logoutTokenMemory * 1000;
}

/** A hash, because a provider chooses the length of `jti`. */
function tokenKey({ issuer, jti }: LogoutToken): Promise<string> {
  return providerKey(issuer, jti);
}

/**
 * Ends the sessions that a token names. The token counts as handled afterwards only, so that the provider can deliver
 * it again after a failure.
 */
async function endSessionsOf(settings: Settings, now: Date, token: LogoutToken): Promise<void> {
  const { issuer, issuedAt, sessionId, subject = '' } = token;
  const by =
    sessionId === undefined
      ? { providerUser: await providerKey(issuer, subject) }
      : { providerSession: await providerKey(issuer, sessionId) };
  // A token that is replayed later must not end a session that began in the meantime.
  const before = new Date(issuedAt.getTime() + limits.logoutTokenAge * 1000);
  await endProviderSessions(settings, now, { by, before });
  const { logoutTokens } = await recordStore(settings);
  logoutTokens.set(await tokenKey(token), now.getTime());
}

const noStore: Readonly<Record<string, string>> = Object.freeze({ 'cache-control': 'no-store' });

function invalidRequest(): Reply {
  return { status: 400, headers: noStore, body: { error: 'invalid_request' }, bare: true, refused: true };
}

/** Only refused tokens are counted: a provider may end thousands of sessions at once. */
async function refusedReply(request: RoutedRequest, now: Date, error: unknown): Promise<Reply> {
  const { settings } = request;
  try {
    if (settings.config.rateLimit !== false) {
      await (await import('../rate-limit/reserve.ts')).countRefusedToken(request, now);
    }
  } catch (limited) {
    if (!(limited instanceof RateLimited)) throw limited;
    settings.logger.error(limited);
    const headers = { ...noStore, 'retry-after': String(limited.retryAfter) };
    return { ...invalidRequest(), status: 429, headers };
  }
  settings.logger.error(errorOf(error));
  return invalidRequest();
}

function oidcProvider(
  { settings, origin, basePath }: RoutedRequest,
  id: string | undefined,
): OAuthProvider | undefined {
  const provider = id === undefined ? undefined : providerOf(settings, id, origin + basePath);
  return provider?.type === 'oidc' ? provider : undefined;
}
