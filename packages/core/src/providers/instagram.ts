import { icon } from '../icons/instagram.ts';
import type { Foreign } from '../types.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** The members of Instagram's user that are read here. */
export interface InstagramProfile {
  /** Of the user in this app; not the one that the account has elsewhere in the API. */
  id: string;
  username: string;
  [claim: string]: Foreign;
}

/**
 * Instagram, for professional accounts.
 *
 * @see https://developers.facebook.com/documentation/instagram-platform/instagram-api-with-instagram-login/business-login
 * @see https://developers.facebook.com/documentation/instagram-platform/instagram-api-with-instagram-login/get-started
 * @reviewed 2026-11-21
 * @register At https://developers.facebook.com/apps: create a business app, add "Instagram", "API setup with Instagram login",
 * and the callback address under "Business login settings". `clientId` and `clientSecret` are those of the Instagram app.
 * Instagram takes https only.
 * @quirk Only business and creator accounts can sign in: the API for everybody ended in December 2024, and with it the scope
 * `user_profile`.
 * @quirk There is no address.
 */
export default function Instagram<P extends InstagramProfile = InstagramProfile>(
  options: OAuthUserConfig<P> = {},
): OAuth2Config<NoInfer<P>> {
  return {
    id: 'instagram',
    name: 'Instagram',
    type: 'oauth',
    authorization: {
      url: 'https://www.instagram.com/oauth/authorize',
      params: { scope: 'instagram_business_basic' },
    },
    token: {
      url: 'https://api.instagram.com/oauth/access_token',
      // Documented in a list, sent without; the type is missing, and the numeric user id does not survive JSON.
      async conform(answer) {
        const { data, ...body } = await answer.json();
        const {
          access_token,
          permissions,
          error_type: error,
          error_message: error_description,
        } = { ...body, ...data?.[0] };
        const scope = [permissions ?? []].flat().join(' ');
        const { status } = answer;
        return Response.json({ access_token, token_type: 'bearer', scope, error, error_description }, { status });
      },
    },
    userinfo: { url: 'https://graph.instagram.com/me', params: { fields: 'id,username,account_type,name' } },
    client: { token_endpoint_auth_method: 'client_secret_post' },
    profile: ({ id, username }) => ({ id, name: username, email: null, image: null }),
    style: { brandColor: '#ff0069', icon },
    options,
  };
}
