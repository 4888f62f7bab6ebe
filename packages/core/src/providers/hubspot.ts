import { icon } from '../icons/hubspot.ts';
import type { Foreign } from '../types.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** The members of what HubSpot says of an access token that are read here. */
export interface HubSpotProfile {
  active: boolean;
  user_id: number;
  /** Address of the user. */
  user?: string;
  [claim: string]: Foreign;
}

/** The API's version; the earlier one ends in February 2027. */
const API = 'https://api.hubapi.com/oauth/2026-03';

/**
 * HubSpot.
 *
 * @see https://developers.hubspot.com/docs/api-reference/2026-03/authentication/manage-oauth-tokens
 * @see https://developers.hubspot.com/docs/api-reference/2026-03/authentication/oauth-tokens/token-introspect
 * @reviewed 2026-11-21
 * @register In a developer account, "Development", "Projects": create an app that authenticates by OAuth, with the callback
 * address among its redirect URLs. The scopes asked for must be exactly those that the app requires; `oauth` is one of them.
 * @quirk HubSpot tells no name, so the address stands for it.
 * @quirk To sign in is to install the app in the visitor's HubSpot account, which not every user of an account may do.
 */
export default function HubSpot<P extends HubSpotProfile = HubSpotProfile>(
  options: OAuthUserConfig<P> = {},
): OAuth2Config<NoInfer<P>> {
  return {
    id: 'hubspot',
    name: 'HubSpot',
    type: 'oauth',
    authorization: { url: 'https://app.hubspot.com/oauth/authorize', params: { scope: 'oauth' } },
    token: `${API}/token`,
    userinfo: {
      url: `${API}/token/introspect`,
      // Whose token it is can only be asked by the client, with its secret.
      async request({ tokens, provider }) {
        const answer = await provider.fetch(`${API}/token/introspect`, {
          method: 'POST',
          headers: { accept: 'application/json', 'user-agent': 'latchkey' },
          body: new URLSearchParams({
            client_id: provider.clientId,
            client_secret: provider.clientSecret ?? '',
            token: tokens.access_token ?? '',
            token_type_hint: 'access_token',
          }),
        });
        if (!answer.ok) throw new Error(`HubSpot answered ${answer.status} for the token's user`);
        const told = (await answer.json()) as HubSpotProfile;
        if (!told.active) throw new Error('HubSpot says that the token is not valid');
        return told;
      },
    },
    client: { token_endpoint_auth_method: 'client_secret_post' },
    profile: ({ user_id, user }) => ({ id: String(user_id), name: user ?? null, email: user ?? null, image: null }),
    style: { brandColor: '#ff7a59', icon },
    options,
  };
}
