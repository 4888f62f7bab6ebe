import { siKick as mark } from 'simple-icons';
import type { Untyped } from '../types/user.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** Members of Kick's user that the provider reads. */
export interface KickProfile {
  user_id: number;
  name: string;
  email?: string | null;
  profile_picture?: string | null;
  [claim: string]: Untyped;
}

/**
 * Kick.
 *
 * @see https://docs.kick.com/getting-started/generating-tokens-oauth2-flow
 * @see https://docs.kick.com/apis/users
 * @reviewed 2026-11-21
 * @email not-stated
 * @register At https://kick.com/settings/developer: Create an app, enter the callback URL as "Redirect URL" and choose
 * the scope "Read user information".
 */
export default function Kick<P extends KickProfile = KickProfile>(
  options: OAuthUserConfig<P> = {},
): OAuth2Config<NoInfer<P>> {
  return {
    id: 'kick',
    name: 'Kick',
    type: 'oauth',
    authorization: { url: 'https://id.kick.com/oauth/authorize', params: { scope: 'user:read' } },
    token: 'https://id.kick.com/oauth/token',
    userinfo: {
      url: 'https://api.kick.com/public/v1/users',
      // Without ids in the request, the list contains only the user of the token.
      conform: async (answer) => (answer.ok ? Response.json((await answer.json()).data[0]) : undefined),
    },
    client: { token_endpoint_auth_method: 'client_secret_post' },
    profile: ({ user_id, name, email, profile_picture }) => ({
      id: String(user_id),
      name,
      email: email ?? null,
      image: profile_picture ?? null,
    }),
    style: { brandColor: '#53fc19', icon: mark.path },
    options,
  };
}
