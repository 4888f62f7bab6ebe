import { siOsu as mark } from 'simple-icons';
import type { Untyped } from '../types/user.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** Members of osu!'s user that the provider reads. */
export interface OsuProfile {
  id: number;
  username: string;
  /** URL of the picture. For users without a picture, the path of a default picture. */
  avatar_url: string;
  [claim: string]: Untyped;
}

/**
 * osu!
 *
 * @see https://osu.ppy.sh/docs/index.html#authorization-code-grant
 * @reviewed 2026-11-21
 * @email none
 * @register At https://osu.ppy.sh/home/account/edit, "OAuth": Create an application with the callback URL under
 * "Application Callback URLs".
 * @quirk osu! does not provide an email address.
 */
export default function Osu<P extends OsuProfile = OsuProfile>(
  options: OAuthUserConfig<P> = {},
): OAuth2Config<NoInfer<P>> {
  return {
    id: 'osu',
    name: 'osu!',
    type: 'oauth',
    authorization: { url: 'https://osu.ppy.sh/oauth/authorize', params: { scope: 'identify' } },
    token: 'https://osu.ppy.sh/oauth/token',
    userinfo: 'https://osu.ppy.sh/api/v2/me',
    client: { token_endpoint_auth_method: 'client_secret_post' },
    profile: ({ id, username, avatar_url }) => ({
      id: String(id),
      name: username,
      email: null,
      image: new URL(avatar_url, 'https://osu.ppy.sh').href,
    }),
    style: { brandColor: '#ff66aa', icon: mark.path },
    options,
  };
}
