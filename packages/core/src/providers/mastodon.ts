import { siMastodon as mark } from 'simple-icons';
import type { Untyped } from '../types/user.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** Members of Mastodon's account that the provider reads. */
export interface MastodonProfile {
  id: string;
  username: string;
  avatar_static: string;
  [claim: string]: Untyped;
}

/**
 * Mastodon.
 *
 * @see https://docs.joinmastodon.org/client/authorized/
 * @see https://docs.joinmastodon.org/methods/accounts/#verify_credentials
 * @reviewed 2026-11-21
 * @email none
 * @register On the instance, "Preferences", "Development": Create an application with the callback URL as "Redirect
 * URI" and the scope `read` (or `profile`, from Mastodon 4.3 on).
 * @issuer The URL of the instance, for example `https://mastodon.social`.
 * @quirk The id belongs to the account on this instance. Mastodon does not provide an email address.
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
    style: { brandColor: '#6364ff', icon: mark.path },
    options,
  };
}
