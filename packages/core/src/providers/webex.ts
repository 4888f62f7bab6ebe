import type { Untyped } from '../types/user.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** Members of Webex's person that the provider reads. */
export interface WebexProfile {
  id: string;
  emails: string[];
  displayName?: string;
  avatar?: string;
  [claim: string]: Untyped;
}

/**
 * Webex by Cisco.
 *
 * @see https://developer.webex.com/docs/login-with-webex
 * @see https://developer.webex.com/docs/api/v1/people/get-my-own-details
 * @reviewed 2026-11-21
 * @email not-stated
 * @register At https://developer.webex.com/my-apps/new/integration: Create an integration with the callback URL under
 * "Redirect URI(s)" and the scopes `spark:kms` and `spark:people_read`.
 * @option `apiBaseUrl` URL of the API. Default: `https://webexapis.com/v1`.
 * @quirk The administrator of any organization can enter addresses, so they do not count as verified.
 */
export default function Webex<P extends WebexProfile = WebexProfile>(
  config: OAuthUserConfig<P> & { apiBaseUrl?: string | undefined } = {},
): OAuth2Config<NoInfer<P>> {
  const { apiBaseUrl = 'https://webexapis.com/v1', ...options } = config;
  const base = apiBaseUrl.replace(/\/$/, '');
  return {
    id: 'webex',
    name: 'Webex',
    type: 'oauth',
    authorization: { url: `${base}/authorize`, params: { scope: 'spark:kms spark:people_read' } },
    token: `${base}/access_token`,
    userinfo: `${base}/people/me`,
    emailVerification: 'never',
    profile: ({ id, emails, displayName, avatar }) => ({
      id,
      name: displayName ?? null,
      email: emails?.[0] ?? null,
      image: avatar ?? null,
    }),
    style: { brandColor: '#000000' },
    options,
  };
}
