import { siAtlassian as mark } from 'simple-icons';
import type { Untyped } from '../types/user.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** Members of Atlassian's user that the provider reads. */
export interface AtlassianProfile {
  account_id: string;
  name: string;
  email: string;
  /** Whether the address is verified. */
  email_verified?: boolean;
  picture: string;
  [claim: string]: Untyped;
}

/**
 * Atlassian accounts, used for Jira and Confluence.
 *
 * @see https://developer.atlassian.com/cloud/jira/platform/oauth-2-3lo-apps/
 * @reviewed 2026-11-21
 * @email stated
 * @register At https://developer.atlassian.com/console/myapps/: Create an OAuth 2.0 integration. Under "Permissions",
 * add the "User identity API" with the scope `read:me`. Under "Authorization", add the callback URL. Only its owner can
 * sign in until "Distribution" is on.
 * @quirk Atlassian issues a refresh token only with the scope `offline_access`.
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
    style: { brandColor: '#0052cc', icon: mark.path },
    options,
  };
}
