import type { Untyped } from '../types/user.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** Members of FreshBooks' identity that the provider reads. */
export interface FreshbooksProfile {
  response: {
    id: number;
    first_name: string | null;
    last_name: string | null;
    email: string;
    /** When the address was confirmed; absent if it was not. */
    confirmed_at?: string | null;
    [claim: string]: Untyped;
  };
  [claim: string]: Untyped;
}

/**
 * FreshBooks.
 *
 * @see https://www.freshbooks.com/api/authentication
 * @see https://www.freshbooks.com/api/me_endpoint
 * @see https://www.freshbooks.com/api/scopes
 * @reviewed 2026-11-21
 * @email stated
 * @register At https://my.freshbooks.com/#/developer: Create an app with the callback URL under "Redirect URIs".
 * FreshBooks gives every new app the scope `user:profile:read`. It refuses scopes that the app does not have.
 */
export default function Freshbooks<P extends FreshbooksProfile = FreshbooksProfile>(
  options: OAuthUserConfig<P> = {},
): OAuth2Config<NoInfer<P>> {
  return {
    id: 'freshbooks',
    name: 'Freshbooks',
    type: 'oauth',
    authorization: { url: 'https://auth.freshbooks.com/oauth/authorize', params: { scope: 'user:profile:read' } },
    token: 'https://api.freshbooks.com/auth/oauth/token',
    userinfo: 'https://api.freshbooks.com/auth/api/v1/users/me',
    client: { token_endpoint_auth_method: 'client_secret_post' },
    conformProfile: (profile) =>
      'confirmed_at' in profile.response
        ? { ...profile, email_verified: profile.response.confirmed_at !== null }
        : profile,
    numericAccountIds: true,
    profile: ({ response: { id, first_name, last_name, email } }) => ({
      id: String(id),
      name: [first_name, last_name].filter(Boolean).join(' ') || null,
      email,
      image: null,
    }),
    style: { label: 'FreshBooks', brandColor: '#0075dd' },
    options,
  };
}
