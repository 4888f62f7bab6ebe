import { siX as mark } from 'simple-icons';
import type { Untyped } from '../types/user.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** Members of X's answer that the provider reads. */
export interface TwitterProfile {
  data: {
    id: string;
    name: string;
    username: string;
    profile_image_url?: string;
    /** Requires the scope `users.email` and the field in `user.fields`. */
    confirmed_email?: string;
    email?: string;
    [claim: string]: Untyped;
  };
  [claim: string]: Untyped;
}

/**
 * X, formerly Twitter.
 *
 * @see https://docs.x.com/resources/fundamentals/authentication/oauth-2-0/authorization-code
 * @see https://docs.x.com/x-api/users/get-my-user
 * @reviewed 2026-11-21
 * @email none
 * @register At https://console.x.com: Create an app and set up "User authentication" for it. Choose the type "Web App"
 * (a confidential client), and enter the callback URL under "Callback URI". Use the client id and the client secret of
 * OAuth 2.0.
 * @quirk X provides an email address only if the app may "Request email from users" and asks for it. Set
 * `authorization: { params: { scope: 'users.read tweet.read offline.access users.email' } }` and `userinfo: { params: {
 * 'user.fields': 'profile_image_url,confirmed_email' } }`. X has verified the address.
 */
export default function Twitter<P extends TwitterProfile = TwitterProfile>(
  options: OAuthUserConfig<P> = {},
): OAuth2Config<NoInfer<P>> {
  return {
    id: 'twitter',
    name: 'Twitter',
    type: 'oauth',
    authorization: {
      url: 'https://x.com/i/oauth2/authorize',
      params: { scope: 'users.read tweet.read offline.access' },
    },
    token: { url: 'https://api.x.com/2/oauth2/token', conform: withInvalidGrant },
    userinfo: { url: 'https://api.x.com/2/users/me', params: { 'user.fields': 'profile_image_url' } },
    checks: ['pkce', 'state'],
    offlineAccess: { scope: 'offline.access' },
    apis: ['https://api.x.com'],
    revocation: 'https://api.x.com/2/oauth2/revoke',
    conformProfile: (profile) => ({ ...profile, ...(profile.data?.confirmed_email ? { email_verified: true } : {}) }),
    profile: ({ data }) => ({
      id: data.id,
      name: data.name,
      email: data.confirmed_email ?? data.email ?? null,
      image: data.profile_image_url ?? null,
    }),
    style: { label: 'X', brandColor: '#000000', icon: mark.path },
    options,
  };
}

/** X answers `invalid_request` where OAuth has `invalid_grant`: the refresh token is not valid any more. */
async function withInvalidGrant(response: Response): Promise<Response | undefined> {
  if (response.status !== 400) return undefined;
  const body = await response.json();
  if (body.error_description !== 'Value passed for the token was invalid.') return undefined;
  return Response.json({ ...body, error: 'invalid_grant' }, { status: 400 });
}
