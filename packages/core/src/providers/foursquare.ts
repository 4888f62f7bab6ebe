import { siFoursquare as mark } from 'simple-icons';
import type { Untyped } from '../types/user.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** Members of Foursquare's user that the provider reads. */
export interface FoursquareProfile {
  response?: {
    user: {
      id: string;
      firstName?: string;
      lastName?: string;
      contact?: { email?: string };
      photo?: { prefix: string; suffix: string };
    };
  };
  [claim: string]: Untyped;
}

/**
 * Foursquare, with the users of Swarm.
 *
 * @see https://docs.foursquare.com/developer/reference/authentication-v2
 * @see https://docs.foursquare.com/developer/reference/versioning
 * @reviewed 2026-11-21
 * @email not-stated
 * @register At https://foursquare.com/developers/home: Create a project and enter the callback URL as "Redirect URL".
 * @option `apiVersion` Version of the API, as a date (`YYYYMMDD`). Default: `20230131`.
 * @quirk The access token is sent as a query parameter, because Foursquare does not accept it in a header.
 */
export default function Foursquare<P extends FoursquareProfile = FoursquareProfile>(
  config: OAuthUserConfig<P> & { apiVersion?: string | undefined } = {},
): OAuth2Config<NoInfer<P>> {
  const { apiVersion = '20230131' } = config;
  return {
    id: 'foursquare',
    name: 'Foursquare',
    type: 'oauth',
    authorization: 'https://foursquare.com/oauth2/authenticate',
    token: {
      url: 'https://foursquare.com/oauth2/access_token',
      async conform(response) {
        if (!response.ok) return undefined;
        return Response.json({ token_type: 'bearer', ...(await response.json()) });
      },
    },
    userinfo: {
      url: 'https://api.foursquare.com/v2/users/self',
      params: { v: apiVersion },
      async request({ tokens, provider }) {
        const { url, params } = provider.userinfo;
        const query = new URLSearchParams({ ...params, oauth_token: tokens.access_token ?? '' });
        const headers = { accept: 'application/json', 'user-agent': 'latchkey' };
        const answer = await provider.fetch(`${url}?${query}`, { headers });
        if (!answer.ok) throw new Error(`Foursquare answered ${answer.status} for the user`);
        return answer.json();
      },
    },
    profile({ response }) {
      const { id, firstName, lastName, contact, photo } = response?.user ?? {};
      return {
        id: String(id),
        name: [firstName, lastName].filter(Boolean).join(' ') || null,
        email: contact?.email ?? null,
        image: photo ? `${photo.prefix}original${photo.suffix}` : null,
      };
    },
    style: { brandColor: '#000000', icon: mark.path },
    options: config,
  };
}
