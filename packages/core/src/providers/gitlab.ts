import { icon } from '../icons/gitlab.ts';
import type { Foreign } from '../types.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** The members of GitLab's user that are read here. */
export interface GitLabProfile {
  id: number;
  username: string;
  name: string | null;
  email: string | null;
  /** When the address was confirmed. */
  confirmed_at?: string | null;
  avatar_url: string | null;
  /** Of the OpenID userinfo endpoint, if that is configured instead. */
  sub?: string;
  [claim: string]: Foreign;
}

/**
 * GitLab.com, and instances of one's own.
 *
 * @see https://docs.gitlab.com/api/oauth2/
 * @see https://docs.gitlab.com/api/users/#retrieve-the-current-user
 * @reviewed 2026-11-21
 * @register At https://gitlab.com/-/user_settings/applications (or for a group, or an instance): add an application that is
 * "Confidential" with the callback address as "Redirect URI" and the scope `read_user`.
 * @option `baseUrl` Address of the instance. Default: `https://gitlab.com`.
 */
export default function GitLab<P extends GitLabProfile = GitLabProfile>(
  config: OAuthUserConfig<P> & { baseUrl?: string | undefined } = {},
): OAuth2Config<NoInfer<P>> {
  const base = config.baseUrl?.replace(/\/$/, '') ?? 'https://gitlab.com';
  return {
    id: 'gitlab',
    name: 'GitLab',
    type: 'oauth',
    authorization: { url: `${base}/oauth/authorize`, params: { scope: 'read_user' } },
    token: `${base}/oauth/token`,
    userinfo: `${base}/api/v4/user`,
    conformProfile: (user) => ('confirmed_at' in user ? { ...user, email_verified: user.confirmed_at !== null } : user),
    profile: (user) => ({
      id: String(user.sub ?? user.id),
      name: user.name ?? user.username,
      email: user.email,
      image: user.avatar_url,
    }),
    style: { brandColor: '#fc6d26', icon },
    options: config,
  };
}
