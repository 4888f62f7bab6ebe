import type { Untyped } from '../types/user.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** Members of Eventbrite's user that the provider reads. */
export interface EventbriteProfile {
  id: string;
  name: string;
  emails: { email: string; verified: boolean; primary: boolean }[];
  image_id: string | null;
  [claim: string]: Untyped;
}

/**
 * Eventbrite.
 *
 * @see https://www.eventbrite.com/platform/api#/introduction/authentication
 * @see https://www.eventbrite.com/platform/api#/reference/user/retrieve-information-about-a-user-account
 * @reviewed 2026-11-21
 * @email stated
 * @register At https://www.eventbrite.com/platform/api-keys: Create a key and enter the callback URL as "OAuth Redirect
 * URI".
 * @quirk Eventbrite has no scopes: a token has all permissions of its user.
 */
export default function Eventbrite<P extends EventbriteProfile = EventbriteProfile>(
  options: OAuthUserConfig<P> = {},
): OAuth2Config<NoInfer<P>> {
  return {
    id: 'eventbrite',
    name: 'Eventbrite',
    type: 'oauth',
    authorization: { url: 'https://www.eventbrite.com/oauth/authorize', params: { scope: 'user.profile' } },
    token: 'https://www.eventbrite.com/oauth/token',
    userinfo: 'https://www.eventbriteapi.com/v3/users/me/',
    client: { token_endpoint_auth_method: 'client_secret_post' },
    conformProfile: (user) => ({ ...user, email_verified: primaryOf(user)?.verified }),
    profile: (user) => ({
      id: user.id,
      name: user.name,
      email: primaryOf(user)?.email ?? null,
      image: user.image_id
        ? `https://img.evbuc.com/https%3A%2F%2Fcdn.evbuc.com%2Fimages%2F${user.image_id}%2F1%2Foriginal.jpg`
        : null,
    }),
    style: { brandColor: '#f05537' },
    options,
  };
}

function primaryOf({ emails }: EventbriteProfile): EventbriteProfile['emails'][number] | undefined {
  return emails.find((entry) => entry.primary);
}
