import { siPinterest as mark } from 'simple-icons';
import type { Untyped } from '../types/user.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** Members of Pinterest's account that the provider reads. */
export interface PinterestProfile {
  /** Id of the account, which does not change. */
  id?: string;
  username: string;
  profile_image?: string | null;
  [claim: string]: Untyped;
}

/**
 * Pinterest.
 *
 * @see https://developers.pinterest.com/docs/getting-started/set-up-authentication-and-authorization/
 * @see https://developers.pinterest.com/docs/api/v5/user_account-get/
 * @reviewed 2026-11-21
 * @email none
 * @register At https://developers.pinterest.com/apps/: Connect an app and, once it has been approved, add the callback
 * URL under "Redirect URIs".
 * @quirk The id is the user name, as in Auth.js v5. If a person changes the user name, the next sign-in creates another
 * user. To avoid that, set a `profile` that returns Pinterest's `id`. If another person takes over the user name, the
 * sign-in is refused with `AccountReassigned`, because that person has another `id`. This needs an adapter with
 * `getAccount`.
 * @quirk Pinterest does not provide an email address.
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
    stableId: ({ id }) => id,
    profile: ({ username, profile_image }) => ({
      id: username,
      name: username,
      email: null,
      image: profile_image ?? null,
    }),
    style: { brandColor: '#bd081c', icon: mark.path },
    options,
  };
}
