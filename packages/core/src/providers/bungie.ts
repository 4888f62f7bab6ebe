import { siBungie as mark } from 'simple-icons';
import type { Untyped } from '../types/user.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** Members of Bungie.net's user that the provider reads. */
export interface BungieProfile {
  Response?: {
    bungieNetUser: { membershipId: string; displayName: string; profilePicturePath?: string | null };
  };
  [claim: string]: Untyped;
}

/** Options of {@link Bungie}. */
export type BungieOptions<P extends BungieProfile = BungieProfile> = OAuthUserConfig<P> & {
  /** The application's API key, which is sent with each request to Bungie.net. */
  apiKey?: string | undefined;
  /** Sets the API key as a header: `{ 'X-API-Key': … }`. */
  headers?: Readonly<Record<string, string>> | undefined;
};

const BASE = 'https://www.bungie.net';

/**
 * Bungie.net.
 *
 * @see https://github.com/Bungie-net/api/wiki/OAuth-Documentation
 * @see https://bungie-net.github.io/multi/operation_get_User-GetMembershipDataForCurrentUser.html
 * @reviewed 2026-11-21
 * @email none
 * @register At https://www.bungie.net/en/Application: Create an application with the "OAuth Client Type" Confidential,
 * and the callback URL as "Redirect URL". Bungie accepts only https, and only one URL.
 * @option `apiKey` The application's API key. Required, unless you set `headers: { 'X-API-Key': … }`. With `providers:
 * [Bungie]`, it comes from `AUTH_BUNGIE_KEY`.
 * @quirk The scopes of the application apply. A request must not contain any.
 * @quirk Bungie does not provide an email address.
 */
export default function Bungie<P extends BungieProfile = BungieProfile>(
  config: BungieOptions<P> = {},
): OAuth2Config<NoInfer<P>> {
  const { apiKey, headers } = config;
  return {
    id: 'bungie',
    name: 'Bungie',
    type: 'oauth',
    authorization: { url: `${BASE}/en/OAuth/Authorize`, params: { reauth: 'true', scope: '' } },
    token: `${BASE}/platform/app/oauth/token/`,
    userinfo: {
      url: `${BASE}/Platform/User/GetMembershipsForCurrentUser/`,
      headers: { ...headers, ...(apiKey ? { 'X-API-Key': apiKey } : {}) },
    },
    profile({ Response: answer }) {
      const { membershipId, displayName, profilePicturePath } = answer?.bungieNetUser ?? {};
      const image = profilePicturePath ? `${BASE}${profilePicturePath}` : null;
      return { id: String(membershipId), name: displayName ?? null, email: null, image };
    },
    style: { brandColor: '#0075bb', icon: mark.path },
    options: config,
  };
}
