import { siFacebook as mark } from 'simple-icons';
import type { Untyped } from '../types/user.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** Members of Facebook's user that the provider reads. */
export interface FacebookProfile {
  id: string;
  name: string;
  email?: string;
  /** Absent only if the application requests other `fields`. */
  picture: { data: { url: string } };
  [claim: string]: Untyped;
}

/** A version is supported for two years after the next one: this one until at least 2028. */
const VERSION = 'v25.0';

/**
 * Facebook.
 *
 * @see https://developers.facebook.com/docs/facebook-login/guides/advanced/manual-flow
 * @see https://developers.facebook.com/docs/graph-api/reference/user
 * @reviewed 2026-11-21
 * @email not-stated
 * @register At https://developers.facebook.com/apps: Create an app with the use case "Authenticate and request data
 * from users with Facebook Login". Add the permission `email`, and enter the callback URL under "Valid OAuth Redirect
 * URIs". Facebook accepts only https. In development mode, it also accepts http for localhost.
 * @quirk Users may withhold their email address. Users who signed up with a phone number do not have one.
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
    offlineAccess: false,
    apis: ['https://graph.facebook.com'],
    client: { token_endpoint_auth_method: 'client_secret_post' },
    profile: ({ id, name, email, picture }) => ({ id, name, email: email ?? null, image: picture?.data.url ?? null }),
    style: { brandColor: '#006aff', icon: mark.path },
    options,
  };
}
