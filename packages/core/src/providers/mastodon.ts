import { icon } from '../icons/mastodon.ts';
import type { Foreign } from '../types.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** The members of Mastodon's account that are read here. */
export interface MastodonProfile {
  id: string;
  username: string;
  avatar_static: string;
  [claim: string]: Foreign;
}

/**
 * Mastodon.
 *
 * @see https://docs.joinmastodon.org/client/authorized/
 * @see https://docs.joinmastodon.org/methods/accounts/#verify_credentials
 * @reviewed 2026-11-21
 * @register On the instance, "Preferences", "Development": create an application with the callback address as "Redirect URI" and
 * the scope `read` (or `profile`, from Mastodon 4.3 on).
 * @issuer The instance's address: `https://mastodon.social`, say.
 * @quirk The id is the account's on that instance. There is no address.
 */
export default function Mastodon<P extends MastodonProfile = MastodonProfile>(
  options: OAuthUserConfig<P> = {},
): OAuth2Config<NoInfer<P>> {
  return {
    id: 'mastodon',
    name: 'Mastodon',
    type: 'oauth',
    authorization: { url: './oauth/authorize', params: { scope: 'read' } },
    token: './oauth/token',
    userinfo: './api/v1/accounts/verify_credentials',
    profile: ({ id, username, avatar_static }) => ({ id, name: username, email: null, image: avatar_static }),
    style: { brandColor: '#6364ff', icon },
    options,
  };
}
