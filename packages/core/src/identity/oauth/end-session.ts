import { limits } from '../../config/defaults.ts';
import type { OAuthProvider } from '../../config/provider.ts';
import type { Context } from '../../context.ts';
import { errorOf } from '../../errors.ts';
import type { Warning } from '../../log/logger.ts';
import { redactText } from '../../log/redact.ts';
import { begin } from '../../pending/pending.ts';
import { isAcceptableUrl, untilAborted } from '../../wire/bounded-fetch.ts';
import { clientIdOf } from './client.ts';
import { discover, withParams } from './server.ts';

const NO_ENDPOINT: Warning = {
  code: 'no-end-session-endpoint',
  words: 'a sign-out ended only the session of this application: the provider has no usable end_session_endpoint.',
};

/**
 * Returns the address at which the provider ends the visitor's session, and from which the visitor comes back (OpenID
 * Connect RP-Initiated Logout §2). `undefined`, with a warning, if the provider's metadata has no acceptable endpoint,
 * or do not arrive in two seconds.
 *
 * @param idToken The ID token of the sign-in. Without it, some providers ask the visitor to confirm.
 * @throws {AuthError} if the provider has no client id.
 */
export async function endSessionUrl(
  context: Context,
  provider: OAuthProvider,
  idToken: string | undefined,
): Promise<string | undefined> {
  const { callbackUrl, origin, basePath, settings } = context;
  const endpoint = await endSessionEndpoint(provider);
  if (!(endpoint instanceof URL)) {
    settings.logger.warn(NO_ENDPOINT, `provider: ${provider.id}, ${endpoint}`);
    return undefined;
  }
  // A longer address could make that of the provider too long.
  const returnTo = callbackUrl.length <= limits.returnTo ? callbackUrl : origin;
  return withParams(endpoint, {
    client_id: clientIdOf(provider),
    post_logout_redirect_uri: `${origin}${basePath}/logout/${provider.id}`,
    state: await begin(context, 'logout', { provider: provider.id, value: { returnTo } }),
    ...(idToken !== undefined && { id_token_hint: idToken }),
  }).href;
}

/** Returns the endpoint, or why it cannot be used. */
async function endSessionEndpoint(provider: OAuthProvider): Promise<URL | string> {
  try {
    const metadata = await untilAborted(AbortSignal.timeout(limits.endSessionTime), discover(provider));
    const { end_session_endpoint: url } = metadata;
    if (url === undefined) return 'the metadata has no end_session_endpoint';
    if (typeof url === 'string' && isAcceptableUrl(url, provider.allowInsecure)) return new URL(url);
    return "the metadata's end_session_endpoint must be an https URL";
  } catch (error) {
    return redactText(`the metadata could not be fetched: ${errorOf(error).message}`);
  }
}
