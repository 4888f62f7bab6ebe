import { icon } from '../icons/facebook.ts';
import type { Foreign } from '../types.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** The members of Facebook's user that are read here. */
export interface FacebookProfile {
  id: string;
  name: string;
  email?: string;
  /** Everybody has one, and we ask for it; absent only where the application asks for other `fields`. */
  picture: { data: { url: string } };
  [claim: string]: Foreign;
}

/** Each version lasts for two years after the next one: this one at least until 2028. */
const VERSION = 'v25.0';

/**
 * Facebook.
 *
 * @see https://developers.facebook.com/docs/facebook-login/guides/advanced/manual-flow
 * @see https://developers.facebook.com/docs/graph-api/reference/user
 * @reviewed 2026-11-21
 * @register At https://developers.facebook.com/apps: create an app with the use case "Authenticate and request data from users
 * with Facebook Login", add the permission `email`, and the callback address under "Valid OAuth Redirect URIs". Facebook takes
 * https only, but for localhost while the app is in development mode.
 * @quirk People may withhold their address, and who signed up with a telephone has none.
 */
export default function Facebook<P extends FacebookProfile = FacebookProfile>(
  options: OAuthUserConfig<P> = {},
): OAuth2Config<NoInfer<P>> {
  return {
    id: 'facebook',
    name: 'Facebook',
    type: 'oauth',
    authorization: { url: `https://www.facebook.com/${VERSION}/dialog/oauth`, params: { scope: 'email' } },
    token: `https://graph.facebook.com/${VERSION}/oauth/access_token`,
    userinfo: { url: `https://graph.facebook.com/${VERSION}/me`, params: { fields: 'id,name,email,picture' } },
    client: { token_endpoint_auth_method: 'client_secret_post' },
    profile: ({ id, name, email, picture }) => ({ id, name, email: email ?? null, image: picture?.data.url ?? null }),
    style: { brandColor: '#006aff', icon },
    options,
  };
}
