import { siBitbucket as mark } from 'simple-icons';
import type { Untyped } from '../types/user.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** Members of Bitbucket's user that the provider reads. */
export interface BitbucketProfile {
  account_id: string;
  display_name?: string | null;
  username: string;
  links: { avatar: { href: string } };
  [claim: string]: Untyped;
}

/**
 * Bitbucket Cloud.
 *
 * @see https://developer.atlassian.com/cloud/bitbucket/oauth-2/
 * @see https://developer.atlassian.com/cloud/bitbucket/rest/api-group-users/#api-user-get
 * @reviewed 2026-11-21
 * @email none
 * @register In a workspace's settings, "OAuth consumers": Add a consumer with the callback URL and the permission
 * "Account: Read", and mark it as private.
 * @quirk Users have no email address: Bitbucket provides it at another endpoint only.
 */
export default function Bitbucket<P extends BitbucketProfile = BitbucketProfile>(
  options: OAuthUserConfig<P> = {},
): OAuth2Config<NoInfer<P>> {
  return {
    id: 'bitbucket',
    name: 'Bitbucket',
    type: 'oauth',
    authorization: { url: 'https://bitbucket.org/site/oauth2/authorize', params: { scope: 'account' } },
    token: 'https://bitbucket.org/site/oauth2/access_token',
    userinfo: 'https://api.bitbucket.org/2.0/user',
    profile: ({ account_id, display_name, username, links }) => ({
      id: account_id,
      name: display_name ?? username,
      image: links.avatar.href,
    }),
    style: { brandColor: '#205081', icon: mark.path },
    options,
  };
}
