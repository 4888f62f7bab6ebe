import { icon } from '../icons/osu.ts';
import type { Foreign } from '../types.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** The members of osu!'s user that are read here. */
export interface OsuProfile {
  id: number;
  username: string;
  /** Of who has none, the path of a picture for everybody. */
  avatar_url: string;
  [claim: string]: Foreign;
}

/**
 * osu!
 *
 * @see https://osu.ppy.sh/docs/index.html#authorization-code-grant
 * @reviewed 2026-11-21
 * @register At https://osu.ppy.sh/home/account/edit, "OAuth": make a new application with the callback address under "Application
 * Callback URLs".
 * @quirk There is no address.
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
    style: { brandColor: '#ff66aa', icon },
    options,
  };
}
