import { siWordpress as mark } from 'simple-icons';
import type { Untyped } from '../types/user.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** Members of WordPress.com's user that the provider reads. */
export interface WordPressProfile {
  ID: number;
  display_name: string;
  email?: string;
  email_verified?: boolean;
  avatar_URL?: string;
  [claim: string]: Untyped;
}

const BASE = 'https://public-api.wordpress.com';

/**
 * WordPress.com.
 *
 * @see https://developer.wordpress.com/docs/api/oauth2/
 * @see https://developer.wordpress.com/docs/api/rest-api-reference/
 * @reviewed 2026-11-21
 * @email stated
 * @register At https://developer.wordpress.com/apps/: Create an application of the type "Web" with the callback URL
 * under "Redirect URLs".
 * @quirk Users sign in with an account of WordPress.com. Accounts of a self-hosted WordPress site do not work.
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
    numericAccountIds: true,
    profile: ({ ID, display_name, email, avatar_URL }) => ({
      id: String(ID),
      name: display_name,
      email: email ?? null,
      image: avatar_URL ?? null,
    }),
    style: { brandColor: '#21759b', icon: mark.path },
    options,
  };
}
