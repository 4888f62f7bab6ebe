import { siInstagram as mark } from 'simple-icons';
import type { Untyped } from '../types/user.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** Members of Instagram's user that the provider reads. */
export interface InstagramProfile {
  /** Id of the user, specific to this app. It differs from the account's id elsewhere in the API. */
  id: string;
  username: string;
  [claim: string]: Untyped;
}

/**
 * Instagram, for professional accounts.
 *
 * @see
 * https://developers.facebook.com/documentation/instagram-platform/instagram-api-with-instagram-login/business-login
 * @see https://developers.facebook.com/documentation/instagram-platform/instagram-api-with-instagram-login/get-started
 * @reviewed 2026-11-21
 * @email none
 * @register At https://developers.facebook.com/apps: Create a business app and add "Instagram", "API setup with
 * Instagram login". Enter the callback URL under "Business login settings". `clientId` and `clientSecret` are those of
 * the Instagram app. Instagram accepts only https.
 * @quirk Only business and creator accounts can sign in. The API for personal accounts and its scope `user_profile`
 * ended in December 2024.
 * @quirk Instagram does not provide an email address.
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
      // The documented list is missing in practice, and so is the type. `JSON.parse` would round the numeric user id.
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
    style: { brandColor: '#ff0069', icon: mark.path },
    options,
  };
}
