import type { Untyped } from '../types/user.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** Members of monday.com's user that the provider reads. */
export interface MondayProfile {
  id: string;
  name: string;
  email: string;
  /** Whether the address is verified. */
  is_verified?: boolean | null;
  photo_small?: string | null;
  [claim: string]: Untyped;
}

/**
 * monday.com.
 *
 * @see https://developer.monday.com/apps/docs/oauth
 * @see https://developer.monday.com/api-reference/reference/me
 * @reviewed 2026-11-21
 * @email stated
 * @register In monday.com's Developer Center: Create an app, choose the scope `me:read` under "OAuth & permissions",
 * and add the callback URL under "Redirect URLs". Users of other accounts have to install the app first.
 * @quirk A user belongs to one account. A person with two accounts has two users, and chooses one at monday.com.
 */
export default function Monday<P extends MondayProfile = MondayProfile>(
  options: OAuthUserConfig<P> = {},
): OAuth2Config<NoInfer<P>> {
  return {
    id: 'monday',
    name: 'monday.com',
    type: 'oauth',
    authorization: { url: 'https://auth.monday.com/oauth2/authorize', params: { scope: 'me:read' } },
    token: 'https://auth.monday.com/oauth2/token',
    userinfo: {
      url: 'https://api.monday.com/v2',
      async request({ tokens, provider }) {
        const answer = await provider.fetch('https://api.monday.com/v2', {
          method: 'POST',
          headers: {
            accept: 'application/json',
            authorization: `Bearer ${tokens.access_token}`,
            'content-type': 'application/json',
            'user-agent': 'latchkey',
          },
          body: JSON.stringify({ query: '{ me { id name email is_verified photo_small } }' }),
        });
        if (!answer.ok) throw new Error(`monday.com answered ${answer.status} for the user`);
        // GraphQL errors have status 200 and no data.
        return (await answer.json()).data.me;
      },
    },
    checks: ['state'],
    client: { token_endpoint_auth_method: 'client_secret_post' },
    conformProfile: (user) => ({ ...user, email_verified: user.is_verified ?? undefined }),
    profile: ({ id, name, email, photo_small }) => ({ id: String(id), name, email, image: photo_small ?? null }),
    style: { brandColor: '#6161ff' },
    options,
  };
}
