import { icon } from '../icons/box.ts';
import type { Foreign } from '../types.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** The members of Box's user that are read here. */
export interface BoxProfile {
  id: string;
  name: string;
  /** The primary address. */
  login: string;
  avatar_url: string;
  [claim: string]: Foreign;
}

/**
 * Box.
 *
 * @see https://developer.box.com/reference/get-authorize
 * @see https://developer.box.com/reference/post-oauth2-token
 * @see https://developer.box.com/reference/get-users-me
 * @reviewed 2026-11-21
 * @register At https://app.box.com/developers/console: create a custom app with "User Authentication (OAuth 2.0)" and add the
 * callback address to its "OAuth 2.0 Redirect URIs".
 * @quirk Box knows no scopes but its own: the application has those that are chosen in the console, unless `scope` names some.
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
    profile: ({ id, name, login, avatar_url }) => ({ id, name, email: login, image: avatar_url }),
    style: { brandColor: '#0075c9', icon },
    options,
  };
}
