import { icon } from '../icons/twitch.ts';
import type { Foreign } from '../types.ts';
import type { OIDCConfig, OIDCUserConfig } from './oauth.ts';

/** The claims of Twitch's ID token that are read here. */
export interface TwitchProfile {
  sub: string;
  preferred_username: string;
  email?: string;
  email_verified?: boolean;
  picture?: string;
  [claim: string]: Foreign;
}

const claims = { id_token: { email: null, email_verified: null, picture: null, preferred_username: null } };

/**
 * Twitch.
 *
 * @see https://dev.twitch.tv/docs/authentication/getting-tokens-oidc/
 * @reviewed 2026-11-21
 * @register At https://dev.twitch.tv/console/apps: register an application of the type "Confidential" and add the callback address
 * under "OAuth Redirect URLs". Twitch takes http for localhost only.
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
    // The scope comes as a list, and an error as `message`.
    token: {
      async conform(response) {
        const { scope, message, ...body } = await response.json();
        const { status } = response;
        if (!response.ok) return Response.json({ error: 'invalid_request', error_description: message }, { status });
        return Response.json({ ...body, scope: [scope].flat().join(' ') }, { status });
      },
    },
    client: { token_endpoint_auth_method: 'client_secret_post' },
    style: { brandColor: '#65459b', icon },
    options,
  };
}
