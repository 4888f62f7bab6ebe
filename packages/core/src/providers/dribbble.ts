import { siDribbble as mark } from 'simple-icons';
import type { Untyped } from '../types/user.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** Members of Dribbble's user that the provider reads. */
export interface DribbbleProfile {
  id: number;
  name: string;
  /** Dribbble does not document this member. */
  email?: string | null;
  avatar_url: string;
  [claim: string]: Untyped;
}

/**
 * Dribbble.
 *
 * @see https://developer.dribbble.com/v2/oauth/
 * @see https://developer.dribbble.com/v2/user/
 * @reviewed 2026-11-21
 * @email none
 * @register At https://dribbble.com/account/applications/new: Register an application and enter the callback URL.
 * @option `scope` Scopes, separated by spaces: `public`, `upload`. Default: `public`.
 * @quirk According to its documentation, Dribbble does not provide an email address.
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
    style: { brandColor: '#000000', icon: mark.path },
    options: config,
  };
}
