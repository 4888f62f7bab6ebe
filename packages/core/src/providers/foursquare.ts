import { icon } from '../icons/foursquare.ts';
import type { Foreign } from '../types.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** The members of Foursquare's user that are read here. */
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
  [claim: string]: Foreign;
}

/**
 * Foursquare: the people of Swarm.
 *
 * @see https://docs.foursquare.com/developer/reference/authentication-v2
 * @see https://docs.foursquare.com/developer/reference/versioning
 * @reviewed 2026-11-21
 * @register At https://foursquare.com/developers/home: create a project and enter the callback address as "Redirect URL".
 * @option `apiVersion` Day (`YYYYMMDD`) whose form of the answers is wanted. Default: `20230131`.
 * @quirk The access token is a parameter of the address, and the answer that brings it does not say its type.
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
    style: { brandColor: '#000000', icon },
    options: config,
  };
}
