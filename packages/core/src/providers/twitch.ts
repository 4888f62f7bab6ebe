import { siTwitch as mark } from 'simple-icons';
import type { Untyped } from '../types/user.ts';
import type { OIDCConfig, OIDCUserConfig } from './oauth.ts';

/** Claims of Twitch's ID token that the provider reads. */
export interface TwitchProfile {
  sub: string;
  preferred_username: string;
  email?: string;
  email_verified?: boolean;
  picture?: string;
  [claim: string]: Untyped;
}

const claims = { id_token: { email: null, email_verified: null, picture: null, preferred_username: null } };

/**
 * Twitch.
 *
 * @see https://dev.twitch.tv/docs/authentication/getting-tokens-oidc/
 * @reviewed 2026-11-21
 * @email stated
 * @register At https://dev.twitch.tv/console/apps: Register an application of the type "Confidential" and add the
 * callback URL under "OAuth Redirect URLs". Twitch accepts http for localhost only.
 */
export default function Twitch<P extends TwitchProfile = TwitchProfile>(
  options: OIDCUserConfig<P> = {},
): OIDCConfig<NoInfer<P>> {
  return {
    id: 'twitch',
    name: 'Twitch',
    type: 'oidc',
    issuer: 'https://id.twitch.tv/oauth2',
    authorization: { params: { scope: 'openid user:read:email', claims } },
    emailVerification: 'claim',
    // `scope` is a list, and errors are in `message`.
    token: {
      async conform(response) {
        const { scope, message, ...body } = await response.json();
        const { status } = response;
        const error = message === 'Invalid refresh token' ? 'invalid_grant' : 'invalid_request';
        if (!response.ok) return Response.json({ error, error_description: message }, { status });
        return Response.json({ ...body, scope: [scope].flat().join(' ') }, { status });
      },
    },
    // Twitch issues refresh tokens always.
    offlineAccess: {},
    client: { token_endpoint_auth_method: 'client_secret_post' },
    style: { brandColor: '#65459b', icon: mark.path },
    options,
  };
}
