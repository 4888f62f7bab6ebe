import mark from '../marks/gitlab.ts';
import type { Untyped } from '../types/user.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** Members of GitLab's user that the provider reads. */
export interface GitLabProfile {
  id: number;
  username: string;
  name: string | null;
  email: string | null;
  /** When the address was confirmed; absent if it was not. */
  confirmed_at?: string | null;
  avatar_url: string | null;
  /** Set by the OpenID userinfo endpoint, if the application configures that endpoint. */
  sub?: string;
  [claim: string]: Untyped;
}

/**
 * GitLab.com and self-hosted instances.
 *
 * @see https://docs.gitlab.com/api/oauth2/
 * @see https://docs.gitlab.com/api/users/#retrieve-the-current-user
 * @reviewed 2026-11-21
 * @email stated
 * @register At https://gitlab.com/-/user_settings/applications (or in the settings of a group or an instance): Add an
 * application with the callback URL as "Redirect URI" and the scope `read_user`, and turn "Confidential" on.
 * @option `baseUrl` URL of the instance. Default: `https://gitlab.com`.
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
    apis: [new URL(base).origin],
    revocation: `${base}/oauth/revoke`,
    conformProfile: (user) => ('confirmed_at' in user ? { ...user, email_verified: user.confirmed_at !== null } : user),
    profile: (user) => ({
      id: String(user.sub ?? user.id),
      name: user.name ?? user.username,
      email: user.email,
      image: user.avatar_url,
    }),
    style: { brandColor: '#fc6d26', icon: mark },
    options: config,
  };
}
