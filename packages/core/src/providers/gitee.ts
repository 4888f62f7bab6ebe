import { siGitee as mark } from 'simple-icons';
import type { Untyped } from '../types/user.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** Members of Gitee's user that the provider reads. */
export interface GiteeProfile {
  id: number;
  login: string;
  name?: string | null;
  email?: string | null;
  avatar_url?: string | null;
  [claim: string]: Untyped;
}

interface GiteeEmail {
  email: string;
  state: 'confirmed' | 'unconfirmed';
  scope: string[];
}

const API = 'https://gitee.com/api/v5';

/**
 * Gitee.
 *
 * @see https://gitee.com/api/v5/oauth_doc
 * @see https://gitee.com/api/v5/swagger#/getV5Emails
 * @reviewed 2026-11-21
 * @email stated
 * @register At https://gitee.com/oauth/applications: Create an application with the callback URL and the permissions
 * `user_info` and `emails`.
 * @quirk A second request returns the primary address and whether Gitee has confirmed it. Without the permission
 * `emails`, the user has no email address.
 */
export default function Gitee<P extends GiteeProfile = GiteeProfile>(
  options: OAuthUserConfig<P> = {},
): OAuth2Config<NoInfer<P>> {
  return {
    id: 'gitee',
    name: 'Gitee',
    type: 'oauth',
    authorization: { url: 'https://gitee.com/oauth/authorize', params: { scope: 'user_info emails' } },
    token: 'https://gitee.com/oauth/token',
    userinfo: `${API}/user`,
    checks: ['state'],
    client: { token_endpoint_auth_method: 'client_secret_post' },
    async conformProfile({ email: _, ...told }, { provider, tokens }) {
      const user = told as P;
      const headers = {
        accept: 'application/json',
        authorization: `Bearer ${tokens.access_token}`,
        'user-agent': 'latchkey',
      };
      const answer = await provider.fetch(`${API}/emails`, { headers });
      // The app did not request the permission, or the user did not grant it.
      if (answer.status === 401 || answer.status === 403) return user;
      if (!answer.ok) throw new Error(`Gitee answered ${answer.status} for the addresses`);
      const emails = (await answer.json()) as GiteeEmail[];
      const chosen = emails.find(({ scope }) => scope.includes('primary')) ?? emails[0];
      return chosen ? { ...user, email: chosen.email, email_verified: chosen.state === 'confirmed' } : user;
    },
    profile: ({ id, login, name, email, avatar_url }) => ({
      id: String(id),
      name: name || login,
      email: email ?? null,
      image: avatar_url ?? null,
    }),
    style: { brandColor: '#c71d23', icon: mark.path },
    options,
  };
}
