import { icon } from '../icons/github.ts';
import type { Foreign } from '../types.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** The members of GitHub's user that are read here. */
export interface GitHubProfile {
  id: number;
  login: string;
  name: string | null;
  email: string | null;
  avatar_url: string;
  [claim: string]: Foreign;
}

export interface GitHubEmail {
  email: string;
  primary: boolean;
  verified: boolean;
}

/**
 * GitHub, and GitHub Enterprise Server.
 *
 * @see https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps
 * @reviewed 2026-11-21
 * @register At https://github.com/settings/developers ("OAuth Apps", "New OAuth App"): enter the callback address as
 * "Authorization callback URL". An OAuth App has one such address, so make one for each environment.
 * @option `enterprise: { baseUrl }` Address of a GitHub Enterprise Server.
 * @quirk The address comes from a second request, and with it whether GitHub has verified it. A GitHub App needs the account
 * permission "Email addresses" for that; without it, the user is signed in without an address.
 */
export default function GitHub<P extends GitHubProfile = GitHubProfile>(
  config: OAuthUserConfig<P> & { enterprise?: { baseUrl?: string | undefined } | undefined } = {},
): OAuth2Config<NoInfer<P>> {
  const base = config.enterprise?.baseUrl?.replace(/\/$/, '') ?? 'https://github.com';
  const api = config.enterprise?.baseUrl ? `${base}/api/v3` : 'https://api.github.com';
  return {
    id: 'github',
    name: 'GitHub',
    type: 'oauth',
    issuer: `${base}/login/oauth`,
    authorization: { url: `${base}/login/oauth/authorize`, params: { scope: 'read:user user:email' } },
    token: `${base}/login/oauth/access_token`,
    userinfo: {
      url: `${api}/user`,
      async request({ tokens, provider }) {
        // GitHub's API refuses requests without a User-Agent.
        const headers = {
          accept: 'application/vnd.github+json',
          authorization: `Bearer ${tokens.access_token}`,
          'user-agent': 'latchkey',
        };
        // Other engines of the family hand in a provider without `fetch`.
        const ask: typeof fetch = provider.fetch ?? fetch;
        const answer = await ask(`${api}/user`, { headers });
        if (!answer.ok) throw new Error(`GitHub answered ${answer.status} for the user`);
        const profile = (await answer.json()) as GitHubProfile;
        if (profile.email) return profile;
        const list = await ask(`${api}/user/emails`, { headers });
        if (list.status === 403 || list.status === 404) return profile;
        if (!list.ok) throw new Error(`GitHub answered ${list.status} for the addresses`);
        const emails = (await list.json()) as GitHubEmail[];
        const chosen = emails.find((entry) => entry.primary) ?? emails[0];
        return chosen ? { ...profile, email: chosen.email, email_verified: chosen.verified } : profile;
      },
    },
    profile: (user) => ({
      id: String(user.id),
      name: user.name ?? user.login,
      email: user.email,
      image: user.avatar_url,
    }),
    style: { brandColor: '#24292f', icon },
    options: config,
  };
}
