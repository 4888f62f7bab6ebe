import { icon } from '../icons/github.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** The members of GitHub's user that are read here. */
export interface GitHubProfile {
  id: number;
  login: string;
  name: string | null;
  email: string | null;
  avatar_url: string;
  [claim: string]: unknown;
}

interface GitHubEmail {
  email: string;
  primary: boolean;
  verified: boolean;
}

/**
 * GitHub and GitHub Enterprise (`enterprise.baseUrl`). https://docs.github.com/en/apps/oauth-apps/building-oauth-apps
 *
 * The address of a user who hides it comes from a second request, and only there GitHub says whether it is verified.
 */
export default function GitHub(
  config: OAuthUserConfig<GitHubProfile> & { enterprise?: { baseUrl?: string | undefined } | undefined } = {},
): OAuth2Config<GitHubProfile> {
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
        const headers = { authorization: `Bearer ${tokens.access_token}`, 'user-agent': 'latchkey' };
        // Other engines of the family hand in a provider without `fetch`.
        const ask: typeof fetch = provider.fetch ?? fetch;
        const answer = await ask(`${api}/user`, { headers });
        if (!answer.ok) throw new Error(`GitHub answered ${answer.status} for the user`);
        const profile = (await answer.json()) as GitHubProfile;
        if (profile.email) return profile;
        const list = await ask(`${api}/user/emails`, { headers });
        if (!list.ok) return profile;
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
