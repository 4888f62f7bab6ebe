import { icon } from '../icons/pinterest.ts';
import type { Foreign } from '../types.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** The members of Pinterest's account that are read here. */
export interface PinterestProfile {
  username: string;
  profile_image?: string | null;
  [claim: string]: Foreign;
}

/**
 * Pinterest.
 *
 * @see https://developers.pinterest.com/docs/getting-started/set-up-authentication-and-authorization/
 * @see https://developers.pinterest.com/docs/api/v5/user_account-get/
 * @reviewed 2026-11-21
 * @register At https://developers.pinterest.com/apps/: connect an app and, once it has been approved, add the callback address under
 * "Redirect URIs".
 * @quirk The id is the user name, as it has always been here: who takes another one is another user. Where that is not wanted, give a
 * `profile` that returns Pinterest's own `id`.
 * @quirk Pinterest tells no address.
 */
export default function PinterestProvider<P extends PinterestProfile = PinterestProfile>(
  options: OAuthUserConfig<P> = {},
): OAuth2Config<NoInfer<P>> {
  return {
    id: 'pinterest',
    name: 'Pinterest',
    type: 'oauth',
    authorization: { url: 'https://www.pinterest.com/oauth/', params: { scope: 'user_accounts:read' } },
    token: 'https://api.pinterest.com/v5/oauth/token',
    userinfo: 'https://api.pinterest.com/v5/user_account',
    profile: ({ username, profile_image }) => ({
      id: username,
      name: username,
      email: null,
      image: profile_image ?? null,
    }),
    style: { brandColor: '#bd081c', icon },
    options,
  };
}
