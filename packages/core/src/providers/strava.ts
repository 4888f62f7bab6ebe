import { siStrava as mark } from 'simple-icons';
import type { Untyped } from '../types/user.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** Members of Strava's athlete that the provider reads. */
export interface StravaProfile {
  id: number;
  firstname: string;
  lastname: string;
  /** URL of the picture. `avatar/athlete/large.png` if the user has no picture. */
  profile: string;
  [claim: string]: Untyped;
}

/**
 * Strava.
 *
 * @see https://developers.strava.com/docs/authentication/
 * @see https://developers.strava.com/docs/reference/#api-Athletes-getLoggedInAthlete
 * @reviewed 2026-11-21
 * @email none
 * @register At https://www.strava.com/settings/api: Create an application and enter the host of your site as
 * "Authorization Callback Domain"; `localhost` is always allowed. Until Strava has reviewed the application, only its
 * owner can sign in.
 * @quirk Scopes are separated by commas: `authorization: { params: { scope: 'read,activity:read' } }`. Users may grant
 * only some of them.
 * @quirk Strava does not provide an email address.
 */
export default function Strava<P extends StravaProfile = StravaProfile>(
  options: OAuthUserConfig<P> = {},
): OAuth2Config<NoInfer<P>> {
  return {
    id: 'strava',
    name: 'Strava',
    type: 'oauth',
    authorization: {
      url: 'https://www.strava.com/api/v3/oauth/authorize',
      params: { scope: 'read', approval_prompt: 'auto', response_type: 'code' },
    },
    token: 'https://www.strava.com/api/v3/oauth/token',
    userinfo: 'https://www.strava.com/api/v3/athlete',
    client: { token_endpoint_auth_method: 'client_secret_post' },
    numericAccountIds: true,
    profile: ({ id, firstname, lastname, profile }) => ({
      id: String(id),
      name: [firstname, lastname].filter(Boolean).join(' '),
      email: null,
      image: profile?.startsWith('https:') ? profile : null,
    }),
    style: { brandColor: '#fc4c02', icon: mark.path },
    options,
  };
}
