import { icon } from '../icons/strava.ts';
import type { Foreign } from '../types.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** The members of Strava's athlete that are read here. */
export interface StravaProfile {
  id: number;
  firstname: string;
  lastname: string;
  /** Address of the picture; `avatar/athlete/large.png` where there is none. */
  profile: string;
  [claim: string]: Foreign;
}

/**
 * Strava.
 *
 * @see https://developers.strava.com/docs/authentication/
 * @see https://developers.strava.com/docs/reference/#api-Athletes-getLoggedInAthlete
 * @reviewed 2026-11-21
 * @register At https://www.strava.com/settings/api: create an application and enter the host of your site as "Authorization Callback
 * Domain"; `localhost` is always allowed. Until Strava has reviewed it, only its owner can sign in.
 * @quirk Several scopes are separated by commas: `authorization: { params: { scope: 'read,activity:read' } }`. Visitors may agree to a
 * part of them.
 * @quirk Strava tells no address.
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
    profile: ({ id, firstname, lastname, profile }) => ({
      id: String(id),
      name: [firstname, lastname].filter(Boolean).join(' '),
      email: null,
      image: profile?.startsWith('https:') ? profile : null,
    }),
    style: { brandColor: '#fc4c02', icon },
    options,
  };
}
