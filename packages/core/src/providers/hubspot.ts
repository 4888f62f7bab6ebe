import { siHubspot as mark } from 'simple-icons';
import type { Untyped } from '../types/user.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** Members of what HubSpot says of an access token that the provider reads. */
export interface HubSpotProfile {
  active: boolean;
  user_id: number;
  /** Email address of the user. */
  user?: string;
  [claim: string]: Untyped;
}

/** Version of the API. The earlier one ends in February 2027. */
const API = 'https://api.hubapi.com/oauth/2026-03';

/**
 * HubSpot.
 *
 * @see https://developers.hubspot.com/docs/api-reference/2026-03/authentication/manage-oauth-tokens
 * @see https://developers.hubspot.com/docs/api-reference/2026-03/authentication/oauth-tokens/token-introspect
 * @reviewed 2026-11-21
 * @email not-stated
 * @register In a developer account, "Development", "Projects": Create an app that authenticates by OAuth, and add the
 * callback URL to its redirect URLs. Request exactly the scopes that the app requires, including `oauth`.
 * @quirk HubSpot does not provide a name, so the email address is used as the name.
 * @quirk A sign-in installs the app in the user's HubSpot account. Not every user of an account has permission to do
 * that.
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
      // Only the client, with its secret, can look up the user of a token.
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
    numericAccountIds: true,
    profile: ({ user_id, user }) => ({ id: String(user_id), name: user ?? null, email: user ?? null, image: null }),
    style: { brandColor: '#ff7a59', icon: mark.path },
    options,
  };
}
