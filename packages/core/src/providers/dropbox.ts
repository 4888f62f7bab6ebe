import { siDropbox as mark } from 'simple-icons';
import type { Untyped } from '../types/user.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** Members of Dropbox' account that the provider reads. */
export interface DropboxProfile {
  account_id: string;
  name: { display_name: string };
  email: string;
  /** Whether the address is verified. */
  email_verified: boolean;
  profile_photo_url?: string;
  [claim: string]: Untyped;
}

/**
 * Dropbox.
 *
 * @see https://developers.dropbox.com/oauth-guide
 * @see https://www.dropbox.com/developers/documentation/http/documentation#users-get_current_account
 * @reviewed 2026-11-21
 * @email stated
 * @register At https://www.dropbox.com/developers/apps: Create an app with the permission `account_info.read`. Add the callback URL under "Redirect URIs".
 * @quirk While the app is in development status, only a limited number of users can sign in.
 */
export default function Dropbox<P extends DropboxProfile = DropboxProfile>(
  options: OAuthUserConfig<P> = {},
): OAuth2Config<NoInfer<P>> {
  return {
    id: 'dropbox',
    name: 'Dropbox',
    type: 'oauth',
    authorization: {
      url: 'https://www.dropbox.com/oauth2/authorize',
      params: { token_access_type: 'offline', scope: 'account_info.read' },
    },
    token: 'https://api.dropboxapi.com/oauth2/token',
    userinfo: { url: 'https://api.dropboxapi.com/2/users/get_current_account', method: 'POST' },
    profile: ({ account_id, name, email, profile_photo_url }) => ({
      id: account_id,
      name: name.display_name,
      email,
      image: profile_photo_url ?? null,
    }),
    style: { brandColor: '#0061fe', icon: mark.path },
    options,
  };
}
