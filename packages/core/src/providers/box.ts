import { siBox as mark } from 'simple-icons';
import type { Untyped } from '../types/user.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** Members of Box's user that the provider reads. */
export interface BoxProfile {
  id: string;
  name: string;
  /** Primary email address. */
  login: string;
  avatar_url: string;
  [claim: string]: Untyped;
}

/**
 * Box.
 *
 * @see https://developer.box.com/reference/get-authorize
 * @see https://developer.box.com/reference/post-oauth2-token
 * @see https://developer.box.com/reference/get-users-me
 * @reviewed 2026-11-21
 * @email not-stated
 * @register At https://app.box.com/developers/console: Create a custom app with "User Authentication (OAuth 2.0)" and
 * add the callback URL to its "OAuth 2.0 Redirect URIs".
 * @quirk Box has scopes of its own. If `scope` is not set, the scopes chosen in the console apply.
 * @quirk The administrator of any enterprise can enter addresses, so they do not count as verified.
 */
export default function Box<P extends BoxProfile = BoxProfile>(
  options: OAuthUserConfig<P> = {},
): OAuth2Config<NoInfer<P>> {
  return {
    id: 'box',
    name: 'Box',
    type: 'oauth',
    authorization: { url: 'https://account.box.com/api/oauth2/authorize', params: { scope: '' } },
    token: 'https://api.box.com/oauth2/token',
    userinfo: 'https://api.box.com/2.0/users/me',
    client: { token_endpoint_auth_method: 'client_secret_post' },
    emailVerification: 'never',
    profile: ({ id, name, login, avatar_url }) => ({ id, name, email: login, image: avatar_url }),
    style: { brandColor: '#0075c9', icon: mark.path },
    options,
  };
}
