import { icon } from '../icons/faceit.ts';
import type { Foreign } from '../types.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** The members of FACEIT's user that are read here. */
export interface FACEITProfile {
  guid: string;
  name?: string;
  nickname: string;
  email?: string;
  /** Has the address been verified? */
  email_verified?: boolean;
  picture?: string;
  [claim: string]: Foreign;
}

/**
 * FACEIT.
 *
 * @see https://docs.faceit.com/getting-started/authentication/oauth2
 * @reviewed 2026-11-21
 * @register At https://developers.faceit.com, "App Studio": create an app, its consent screen, and an OAuth2 client with the
 * callback address as "Redirect URL" and the scopes `openid`, `profile` and `email`.
 */
export default function FACEIT<P extends FACEITProfile = FACEITProfile>(
  options: OAuthUserConfig<P> = {},
): OAuth2Config<NoInfer<P>> {
  return {
    id: 'faceit',
    name: 'FACEIT',
    type: 'oauth',
    // Without `redirect_popup`, the answer goes to the window that has opened this one.
    authorization: { url: 'https://accounts.faceit.com/accounts', params: { redirect_popup: 'true' } },
    token: 'https://api.faceit.com/auth/v1/oauth/token',
    userinfo: 'https://api.faceit.com/auth/v1/resources/userinfo',
    profile: ({ guid, name, nickname, email, picture }) => ({
      id: guid,
      name: name ?? nickname,
      email: email ?? null,
      image: picture ?? null,
    }),
    style: { brandColor: '#ff5500', icon },
    options,
  };
}
