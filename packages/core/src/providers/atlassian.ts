import { icon } from '../icons/atlassian.ts';
import type { Foreign } from '../types.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** The members of Atlassian's user that are read here. */
export interface AtlassianProfile {
  account_id: string;
  name: string;
  email: string;
  /** Has the address been verified? */
  email_verified?: boolean;
  picture: string;
  [claim: string]: Foreign;
}

/**
 * Atlassian accounts: Jira, Confluence and so on.
 *
 * @see https://developer.atlassian.com/cloud/jira/platform/oauth-2-3lo-apps/
 * @reviewed 2026-11-21
 * @register At https://developer.atlassian.com/console/myapps/: create an OAuth 2.0 integration, add the "User identity API" with
 * the scope `read:me` under "Permissions", and the callback address under "Authorization". Only its owner can sign in until
 * "Distribution" is on.
 * @quirk A refresh token comes with the scope `offline_access` only.
 */
export default function Atlassian<P extends AtlassianProfile = AtlassianProfile>(
  options: OAuthUserConfig<P> = {},
): OAuth2Config<NoInfer<P>> {
  return {
    id: 'atlassian',
    name: 'Atlassian',
    type: 'oauth',
    authorization: {
      url: 'https://auth.atlassian.com/authorize',
      params: { audience: 'api.atlassian.com', scope: 'read:me' },
    },
    token: 'https://auth.atlassian.com/oauth/token',
    userinfo: 'https://api.atlassian.com/me',
    checks: ['state'],
    profile: ({ account_id, name, email, picture }) => ({ id: account_id, name, email, image: picture }),
    style: { brandColor: '#0052cc', icon },
    options,
  };
}
