import { siFaceit as mark } from 'simple-icons';
import type { Untyped } from '../types/user.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** Members of FACEIT's user that the provider reads. */
export interface FACEITProfile {
  guid: string;
  name?: string;
  nickname: string;
  email?: string;
  /** Whether the address is verified. */
  email_verified?: boolean;
  picture?: string;
  [claim: string]: Untyped;
}

/**
 * FACEIT.
 *
 * @see https://docs.faceit.com/getting-started/authentication/oauth2
 * @reviewed 2026-11-21
 * @email stated
 * @register At https://developers.faceit.com, "App Studio": Create an app, its consent screen and an OAuth2 client,
 * with the callback URL as "Redirect URL" and the scopes `openid`, `profile` and `email`.
 */
export default function FACEIT<P extends FACEITProfile = FACEITProfile>(
  options: OAuthUserConfig<P> = {},
): OAuth2Config<NoInfer<P>> {
  return {
    id: 'faceit',
    name: 'FACEIT',
    type: 'oauth',
    // Without `redirect_popup`, FACEIT redirects the window that opened this one.
    authorization: { url: 'https://accounts.faceit.com/accounts', params: { redirect_popup: 'true' } },
    token: 'https://api.faceit.com/auth/v1/oauth/token',
    userinfo: 'https://api.faceit.com/auth/v1/resources/userinfo',
    profile: ({ guid, name, nickname, email, picture }) => ({
      id: guid,
      name: name ?? nickname,
      email: email ?? null,
      image: picture ?? null,
    }),
    style: { brandColor: '#ff5500', icon: mark.path },
    options,
  };
}
