import { icon } from '../icons/wordpress.ts';
import type { Foreign } from '../types.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** The members of WordPress.com's user that are read here. */
export interface WordPressProfile {
  ID: number;
  display_name: string;
  email?: string;
  email_verified?: boolean;
  avatar_URL?: string;
  [claim: string]: Foreign;
}

const BASE = 'https://public-api.wordpress.com';

/**
 * WordPress.com.
 *
 * @see https://developer.wordpress.com/docs/api/oauth2/
 * @see https://developer.wordpress.com/docs/api/rest-api-reference/
 * @reviewed 2026-11-21
 * @register At https://developer.wordpress.com/apps/: create an application of the type "Web" with the callback address under "Redirect
 * URLs".
 * @quirk These are accounts of WordPress.com, not those of a site with WordPress of its own.
 */
export default function WordPress<P extends WordPressProfile = WordPressProfile>(
  options: OAuthUserConfig<P> = {},
): OAuth2Config<NoInfer<P>> {
  return {
    id: 'wordpress',
    name: 'WordPress.com',
    type: 'oauth',
    authorization: { url: `${BASE}/oauth2/authorize`, params: { scope: 'auth' } },
    token: `${BASE}/oauth2/token`,
    userinfo: `${BASE}/rest/v1.1/me`,
    client: { token_endpoint_auth_method: 'client_secret_post' },
    profile: ({ ID, display_name, email, avatar_URL }) => ({
      id: String(ID),
      name: display_name,
      email: email ?? null,
      image: avatar_URL ?? null,
    }),
    style: { brandColor: '#21759b', icon },
    options,
  };
}
