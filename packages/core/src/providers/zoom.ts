import { siZoom as mark } from 'simple-icons';
import type { Untyped } from '../types/user.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** Members of Zoom's user that the provider reads. */
export interface ZoomProfile {
  id: string;
  first_name?: string;
  last_name?: string;
  email: string;
  /** Whether the address is verified: `1` or `0`. */
  verified?: number;
  pic_url?: string;
  [claim: string]: Untyped;
}

/**
 * Zoom.
 *
 * @see https://developers.zoom.us/docs/integrations/oauth/
 * @see https://developers.zoom.us/docs/api/users/#tag/users/get/users/{userId}
 * @reviewed 2026-11-21
 * @email stated
 * @register At https://marketplace.zoom.us, "Develop", "Build App": Create a user-managed "General App" with the scope
 * `user:read:user`. Enter the callback URL as "OAuth Redirect URL", and add it to the "OAuth Allow Lists".
 * @quirk The scopes of the app in the marketplace apply, so requests do not contain a scope. Until Zoom has reviewed
 * the app, only users of its owner's account can sign in.
 */
export default function Zoom<P extends ZoomProfile = ZoomProfile>(
  options: OAuthUserConfig<P> = {},
): OAuth2Config<NoInfer<P>> {
  return {
    id: 'zoom',
    name: 'Zoom',
    type: 'oauth',
    authorization: { url: 'https://zoom.us/oauth/authorize', params: { scope: '' } },
    token: 'https://zoom.us/oauth/token',
    userinfo: 'https://api.zoom.us/v2/users/me',
    conformProfile: (user) => ('verified' in user ? { ...user, email_verified: user.verified === 1 } : user),
    profile: ({ id, first_name, last_name, email, pic_url }) => ({
      id,
      name: [first_name, last_name].filter(Boolean).join(' '),
      email,
      image: pic_url ?? null,
    }),
    style: { brandColor: '#0b5cff', icon: mark.path },
    options,
  };
}
