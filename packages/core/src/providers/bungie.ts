import { icon } from '../icons/bungie.ts';
import type { Foreign } from '../types.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** The members of Bungie.net's user that are read here. */
export interface BungieProfile {
  Response?: {
    bungieNetUser: { membershipId: string; displayName: string; profilePicturePath?: string | null };
  };
  [claim: string]: Foreign;
}

/** Options of {@link Bungie}. */
export type BungieOptions<P extends BungieProfile = BungieProfile> = OAuthUserConfig<P> & {
  /** The application's API key; every request to Bungie.net bears it. */
  apiKey?: string | undefined;
  /** The same as a header: `{ 'X-API-Key': … }`. */
  headers?: Readonly<Record<string, string>> | undefined;
};

const BASE = 'https://www.bungie.net';

/**
 * Bungie.net.
 *
 * @see https://github.com/Bungie-net/api/wiki/OAuth-Documentation
 * @see https://bungie-net.github.io/multi/operation_get_User-GetMembershipDataForCurrentUser.html
 * @reviewed 2026-11-21
 * @register At https://www.bungie.net/en/Application: create an application with the "OAuth Client Type" Confidential, and the
 * callback address as "Redirect URL". Bungie takes https only, and one address.
 * @option `apiKey` The application's API key (or `AUTH_BUNGIE_KEY`, with `providers: [Bungie]`). Needed; `headers: { 'X-API-Key': … }`
 * will do, too.
 * @quirk The scopes are those that the application has; a request must not name any.
 * @quirk Bungie tells no address.
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
    style: { brandColor: '#0075bb', icon },
    options: config,
  };
}
