import { icon } from '../icons/mattermost.ts';
import type { Foreign } from '../types.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** The members of Mattermost's user that are read here. */
export interface MattermostProfile {
  id: string;
  username?: string;
  first_name?: string;
  last_name?: string;
  email: string;
  /** Left out when it is `false`. */
  email_verified?: boolean;
  [claim: string]: Foreign;
}

/**
 * Mattermost.
 *
 * @see https://developers.mattermost.com/integrate/apps/authentication/oauth2/
 * @reviewed 2026-11-21
 * @register On the server, "Integrations", "OAuth 2.0 Applications" (which an administrator has to enable): add one with the
 * callback address under "Callback URLs".
 * @issuer The server's address: `https://<host>`.
 * @quirk Servers that do not ask for it have users whose address nobody has verified. They are created under it and never linked
 * by it; `unverifiedEmail` says
 * otherwise, and has to (`'allow'`) where mailed links or another provider would open that user by its address.
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
      // What there is none of (always an ID token) comes as an empty text.
      async conform(answer) {
        const members = Object.entries(await answer.json()).filter(([, value]) => value !== '');
        return Response.json(Object.fromEntries(members), { status: answer.status });
      },
    },
    userinfo: './api/v4/users/me',
    client: { token_endpoint_auth_method: 'client_secret_post' },
    conformProfile: (user) => ({ ...user, email_verified: user.email_verified === true }),
    unverifiedEmail: 'unshared',
    profile: ({ id, username, first_name, last_name, email }) => ({
      id,
      name: username ?? ([first_name, last_name].filter(Boolean).join(' ') || null),
      email,
      image: null,
    }),
    style: { brandColor: '#0058cc', icon },
    options,
  };
}
