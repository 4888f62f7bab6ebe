import { icon } from '../icons/spotify.ts';
import type { Foreign } from '../types.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** The members of Spotify's user that are read here. */
export interface SpotifyProfile {
  id: string;
  display_name: string | null;
  email?: string;
  images?: { url: string }[];
  [claim: string]: Foreign;
}

/**
 * Spotify.
 *
 * @see https://developer.spotify.com/documentation/web-api/tutorials/code-flow
 * @see https://developer.spotify.com/documentation/web-api/reference/get-current-users-profile
 * @see https://developer.spotify.com/documentation/web-api/tutorials/february-2026-migration-guide
 * @reviewed 2026-11-21
 * @register At https://developer.spotify.com/dashboard: create an app and add the callback address under "Redirect URIs". Spotify
 * takes `http://127.0.0.1:<port>`, but not `localhost`. In development mode, five people named there can sign in, and the owner
 * needs Premium.
 * @quirk Apps in development mode get no address (since March 2026). Spotify says of the others that it has not verified them:
 * users are created under one and never linked by it; `unverifiedEmail` says
 * otherwise, and has to (`'allow'`) where mailed links or another provider would open that user by its address.
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
    conformProfile: (profile) => ({ ...profile, email_verified: false }),
    unverifiedEmail: 'unshared',
    profile: ({ id, display_name, email, images }) => ({
      id,
      name: display_name,
      email: email ?? null,
      image: images?.[0]?.url ?? null,
    }),
    style: { brandColor: '#1db954', icon },
    options,
  };
}
