import { icon } from '../icons/dribbble.ts';
import type { Foreign } from '../types.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** The members of Dribbble's user that are read here. */
export interface DribbbleProfile {
  id: number;
  name: string;
  /** Not among those that Dribbble documents. */
  email?: string | null;
  avatar_url: string;
  [claim: string]: Foreign;
}

/**
 * Dribbble.
 *
 * @see https://developer.dribbble.com/v2/oauth/
 * @see https://developer.dribbble.com/v2/user/
 * @reviewed 2026-11-21
 * @register At https://dribbble.com/account/applications/new: register an application and enter the callback address.
 * @option `scope` Scopes, separated by spaces: `public`, `upload`. Default: `public`.
 * @quirk By its documentation, Dribbble tells no address.
 */
export default function Dribbble<P extends DribbbleProfile = DribbbleProfile>(
  config: OAuthUserConfig<P> & { scope?: string | undefined } = {},
): OAuth2Config<NoInfer<P>> {
  const { scope = 'public' } = config;
  return {
    id: 'dribbble',
    name: 'Dribbble',
    type: 'oauth',
    authorization: { url: 'https://dribbble.com/oauth/authorize', params: { scope } },
    token: 'https://dribbble.com/oauth/token',
    userinfo: 'https://api.dribbble.com/v2/user',
    profile: ({ id, name, email, avatar_url }) => ({ id: String(id), name, email: email ?? null, image: avatar_url }),
    style: { brandColor: '#000000', icon },
    options: config,
  };
}
