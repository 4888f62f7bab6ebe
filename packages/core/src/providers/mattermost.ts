import { siMattermost as mark } from 'simple-icons';
import type { Untyped } from '../types/user.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** Members of Mattermost's user that the provider reads. */
export interface MattermostProfile {
  id: string;
  username?: string;
  first_name?: string;
  last_name?: string;
  email: string;
  /** Whether the address is verified. Absent if it is `false`. */
  email_verified?: boolean;
  [claim: string]: Untyped;
}

/**
 * Mattermost.
 *
 * @see https://developers.mattermost.com/integrate/apps/authentication/oauth2/
 * @reviewed 2026-11-21
 * @email stated
 * @register On the server, "Integrations", "OAuth 2.0 Applications" (which an administrator has to enable): Add an
 * application with the callback URL under "Callback URLs".
 * @issuer The URL of the server: `https://<host>`.
 * @quirk A server may not require users to verify their addresses. Users are created with an unverified address, but
 * never linked by it. If another provider mails links or sets `allowDangerousEmailAccountLinking`, such a sign-in is
 * refused, unless you set `unverifiedEmail: 'allow'`.
 */
export default function Mattermost<P extends MattermostProfile = MattermostProfile>(
  options: OAuthUserConfig<P> = {},
): OAuth2Config<NoInfer<P>> {
  return {
    id: 'mattermost',
    name: 'Mattermost',
    type: 'oauth',
    authorization: './oauth/authorize',
    token: {
      url: './oauth/access_token',
      // Missing values are empty strings; `id_token` always is.
      async conform(answer) {
        const members = Object.entries(await answer.json()).filter(([, value]) => value !== '');
        return Response.json(Object.fromEntries(members), { status: answer.status });
      },
    },
    userinfo: './api/v4/users/me',
    client: { token_endpoint_auth_method: 'client_secret_post' },
    emailVerification: ({ email_verified }) => (email_verified ? 'claim' : 'never'),
    profile: ({ id, username, first_name, last_name, email }) => ({
      id,
      name: username ?? ([first_name, last_name].filter(Boolean).join(' ') || null),
      email,
      image: null,
    }),
    style: { brandColor: '#0058cc', icon: mark.path },
    options,
  };
}
