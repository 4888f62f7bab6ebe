import { icon } from '../icons/bitbucket.ts';
import type { Foreign } from '../types.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** The members of Bitbucket's user that are read here. */
export interface BitbucketProfile {
  account_id: string;
  display_name?: string | null;
  username: string;
  links: { avatar: { href: string } };
  [claim: string]: Foreign;
}

/**
 * Bitbucket Cloud.
 *
 * @see https://developer.atlassian.com/cloud/bitbucket/oauth-2/
 * @see https://developer.atlassian.com/cloud/bitbucket/rest/api-group-users/#api-user-get
 * @reviewed 2026-11-21
 * @register In a workspace's settings, "OAuth consumers": add one with the callback address and the permission "Account: Read", and
 * mark it as a private consumer.
 * @quirk The user is signed in without an address: Bitbucket tells it elsewhere only.
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
    style: { brandColor: '#205081', icon },
    options,
  };
}
