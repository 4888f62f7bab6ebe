import { siLinear as mark } from 'simple-icons';
import type { Untyped } from '../types/user.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** Members of Linear's user that the provider reads. */
export interface LinearProfile {
  id: string;
  name?: string | null;
  displayName: string;
  email?: string | null;
  avatarUrl?: string | null;
  [claim: string]: Untyped;
}

/**
 * Linear.
 *
 * @see https://linear.app/developers/oauth-2-0-authentication
 * @see https://linear.app/developers/graphql
 * @reviewed 2026-11-21
 * @email not-stated
 * @register At https://linear.app/settings/api/applications/new: Create an application with the callback URL under
 * "Callback URLs".
 * @quirk A user belongs to one workspace. A person with two workspaces has two users, and chooses one at Linear.
 * @quirk Scopes are separated by commas: `read,issues:create`.
 */
export default function Linear<P extends LinearProfile = LinearProfile>(
  options: OAuthUserConfig<P> = {},
): OAuth2Config<NoInfer<P>> {
  return {
    id: 'linear',
    name: 'Linear',
    type: 'oauth',
    authorization: { url: 'https://linear.app/oauth/authorize', params: { scope: 'read' } },
    token: 'https://api.linear.app/oauth/token',
    userinfo: {
      url: 'https://api.linear.app/graphql',
      async request({ tokens, provider }) {
        const answer = await provider.fetch('https://api.linear.app/graphql', {
          method: 'POST',
          headers: {
            accept: 'application/json',
            authorization: `Bearer ${tokens.access_token}`,
            'content-type': 'application/json',
            'user-agent': 'latchkey',
          },
          body: JSON.stringify({ query: '{ viewer { id name displayName email avatarUrl } }' }),
        });
        if (!answer.ok) throw new Error(`Linear answered ${answer.status} for the user`);
        // GraphQL errors have status 200 and no data.
        return (await answer.json()).data.viewer;
      },
    },
    client: { token_endpoint_auth_method: 'client_secret_post' },
    profile: ({ id, name, displayName, email, avatarUrl }) => ({
      id,
      name: name ?? displayName,
      email: email ?? null,
      image: avatarUrl ?? null,
    }),
    style: { brandColor: '#5e6ad2', icon: mark.path },
    options,
  };
}
