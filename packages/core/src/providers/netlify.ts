import { siNetlify as mark } from 'simple-icons';
import type { Untyped } from '../types/user.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** Members of Netlify's user that the provider reads. */
export interface NetlifyProfile {
  id: string;
  full_name: string | null;
  email: string;
  avatar_url: string | null;
  [claim: string]: Untyped;
}

/**
 * Netlify.
 *
 * @see https://docs.netlify.com/api-and-cli-guides/api-guides/get-started-with-api/
 * @see https://github.com/netlify-labs/oauth-example
 * @reviewed 2026-11-21
 * @email not-stated
 * @register At https://app.netlify.com/user/applications: Add an OAuth application with the callback URL as "Redirect
 * URI".
 * @quirk Netlify has no scopes: the access token has all permissions of the user.
 */
export default function Netlify<P extends NetlifyProfile = NetlifyProfile>(
  options: OAuthUserConfig<P> = {},
): OAuth2Config<NoInfer<P>> {
  return {
    id: 'netlify',
    name: 'Netlify',
    type: 'oauth',
    authorization: { url: 'https://app.netlify.com/authorize', params: { scope: '' } },
    token: 'https://api.netlify.com/oauth/token',
    userinfo: 'https://api.netlify.com/api/v1/user',
    profile: ({ id, full_name, email, avatar_url }) => ({ id, name: full_name, email, image: avatar_url }),
    style: { brandColor: '#32e6e2', icon: mark.path },
    options,
  };
}
