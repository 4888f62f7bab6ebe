import { siSpotify as mark } from 'simple-icons';
import type { Untyped } from '../types/user.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** Members of Spotify's user that the provider reads. */
export interface SpotifyProfile {
  id: string;
  display_name: string | null;
  email?: string;
  images?: { url: string }[];
  [claim: string]: Untyped;
}

/**
 * Spotify.
 *
 * @see https://developer.spotify.com/documentation/web-api/tutorials/code-flow
 * @see https://developer.spotify.com/documentation/web-api/reference/get-current-users-profile
 * @see https://developer.spotify.com/documentation/web-api/tutorials/february-2026-migration-guide
 * @reviewed 2026-11-21
 * @email unverified
 * @register At https://developer.spotify.com/dashboard: Create an app and add the callback URL under "Redirect URIs".
 * Spotify accepts `http://127.0.0.1:<port>`, but not `localhost`. In development mode, only five listed users can sign
 * in, and the owner needs Premium.
 * @quirk Since March 2026, apps in development mode do not get an email address. Spotify does not verify addresses.
 * Users are created with an unverified address, but never linked by it. If another provider mails links or sets
 * `allowDangerousEmailAccountLinking`, such a sign-in is refused, unless you set `unverifiedEmail: 'allow'`.
 */
export default function Spotify<P extends SpotifyProfile = SpotifyProfile>(
  options: OAuthUserConfig<P> = {},
): OAuth2Config<NoInfer<P>> {
  return {
    id: 'spotify',
    name: 'Spotify',
    type: 'oauth',
    authorization: { url: 'https://accounts.spotify.com/authorize', params: { scope: 'user-read-email' } },
    token: 'https://accounts.spotify.com/api/token',
    userinfo: 'https://api.spotify.com/v1/me',
    emailVerification: 'never',
    profile: ({ id, display_name, email, images }) => ({
      id,
      name: display_name,
      email: email ?? null,
      image: images?.[0]?.url ?? null,
    }),
    style: { brandColor: '#1db954', icon: mark.path },
    options,
  };
}
