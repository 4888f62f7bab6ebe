import { siOpenstreetmap as mark } from 'simple-icons';
import type { Untyped } from '../types/user.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** Members of OpenStreetMap's user that the provider reads. */
export interface OpenStreetMapProfile {
  id: number;
  display_name: string;
  img?: { href: string };
  [claim: string]: Untyped;
}

/**
 * OpenStreetMap.
 *
 * @see https://wiki.openstreetmap.org/wiki/OAuth
 * @see https://wiki.openstreetmap.org/wiki/API_v0.6#Details_of_the_logged-in_user
 * @reviewed 2026-11-21
 * @email none
 * @register At https://www.openstreetmap.org/oauth2/applications: Register an application with the callback URL under
 * "Redirect URIs" and the permission "Read user preferences". Turn "Confidential Application" on.
 * @quirk OpenStreetMap does not provide an email address. Users can change their name, and another user can then take
 * it.
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
    style: { brandColor: '#7ebc6f', icon: mark.path },
    options,
  };
}
