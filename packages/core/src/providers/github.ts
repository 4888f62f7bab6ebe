import { siGithub as mark } from 'simple-icons';
import type { Untyped } from '../types/user.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** Members of GitHub's user that the provider reads. */
export interface GitHubProfile {
  id: number;
  login: string;
  name: string | null;
  email: string | null;
  avatar_url: string;
  [claim: string]: Untyped;
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
 * @email depends GitHub does not say whether a public address of github.com is verified, so its status is unknown.
 * Other addresses, and those of an Enterprise Server, come with whether they are verified.
 * @register At https://github.com/settings/developers ("OAuth Apps", "New OAuth App"): Enter the callback URL as
 * "Authorization callback URL". An OAuth App has only one such URL, so create an app for each environment.
 * @option `enterprise: { baseUrl }` URL of a GitHub Enterprise Server.
 * @quirk A second request returns the email address and whether GitHub has verified it. A GitHub App needs the account
 * permission "Email addresses" for it. Without that permission, the user has no email address.
 * @quirk An address of GitHub Enterprise Server counts as verified only if the second request says so. For a
 * public address of github.com, the second request is left out.
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
        // Auth.js v5 passes a provider without `fetch`.
        const ask: typeof fetch = provider.fetch ?? fetch;
        const answer = await ask(`${api}/user`, { headers });
        if (!answer.ok) throw new Error(`GitHub answered ${answer.status} for the user`);
        const profile = (await answer.json()) as GitHubProfile;
        // An Enterprise Server need not verify public addresses. The list tells.
        const isEnterprise = Boolean(config.enterprise?.baseUrl);
        if (profile.email && !isEnterprise) return profile;
        const list = await ask(`${api}/user/emails`, { headers });
        if (list.status === 403 || list.status === 404) return profile;
        if (!list.ok) throw new Error(`GitHub answered ${list.status} for the addresses`);
        const emails = (await list.json()) as GitHubEmail[];
        const chosen = profile.email
          ? emails.find((entry) => entry.email === profile.email)
          : (emails.find((entry) => entry.primary) ?? emails[0]);
        if (!chosen) return profile;
        // An Enterprise Server need not verify addresses at all.
        const email_verified = chosen.verified || (isEnterprise ? undefined : false);
        return { ...profile, email: chosen.email, email_verified };
      },
    },
    apis: [new URL(api).origin],
    scopes: { separator: ',' },
    ...(config.enterprise?.baseUrl && {
      emailVerification: ({ email_verified }) => (email_verified ? ('claim' as const) : ('never' as const)),
    }),
    profile: (user) => ({
      id: String(user.id),
      name: user.name ?? user.login,
      email: user.email,
      image: user.avatar_url,
    }),
    style: { brandColor: '#24292f', icon: mark.path },
    options: config,
  };
}
