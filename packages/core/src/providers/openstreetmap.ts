import { icon } from '../icons/openstreetmap.ts';
import type { Foreign } from '../types.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** The members of OpenStreetMap's user that are read here. */
export interface OpenStreetMapProfile {
  id: number;
  display_name: string;
  img?: { href: string };
  [claim: string]: Foreign;
}

/**
 * OpenStreetMap.
 *
 * @see https://wiki.openstreetmap.org/wiki/OAuth
 * @see https://wiki.openstreetmap.org/wiki/API_v0.6#Details_of_the_logged-in_user
 * @reviewed 2026-11-21
 * @register At https://www.openstreetmap.org/oauth2/applications: register an application with the callback address under "Redirect
 * URIs", "Confidential Application" on, and the permission "Read user preferences".
 * @quirk OpenStreetMap tells no address. The name is not unique for good: users may change it, and another one take it.
 */
export default function OpenStreetMap<P extends OpenStreetMapProfile = OpenStreetMapProfile>(
  options: OAuthUserConfig<P> = {},
): OAuth2Config<NoInfer<P>> {
  return {
    id: 'openstreetmap',
    name: 'OpenStreetMap',
    type: 'oauth',
    authorization: { url: 'https://www.openstreetmap.org/oauth2/authorize', params: { scope: 'read_prefs' } },
    token: 'https://www.openstreetmap.org/oauth2/token',
    userinfo: {
      url: 'https://api.openstreetmap.org/api/0.6/user/details.json',
      conform: async (answer) => (answer.ok ? Response.json((await answer.json()).user) : undefined),
    },
    profile: ({ id, display_name, img }) => ({
      id: String(id),
      name: display_name,
      email: null,
      image: img?.href ?? null,
    }),
    style: { brandColor: '#7ebc6f', icon },
    options,
  };
}
