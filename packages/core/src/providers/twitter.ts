import { icon } from '../icons/twitter.ts';
import type { Foreign } from '../types.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** The members of X's answer that are read here. */
export interface TwitterProfile {
  data: {
    id: string;
    name: string;
    username: string;
    profile_image_url?: string;
    /** With the scope `users.email` and when asked for in `user.fields`. */
    confirmed_email?: string;
    email?: string;
    [claim: string]: Foreign;
  };
  [claim: string]: Foreign;
}

/**
 * X, formerly Twitter.
 *
 * @see https://docs.x.com/resources/fundamentals/authentication/oauth-2-0/authorization-code
 * @see https://docs.x.com/x-api/users/get-my-user
 * @reviewed 2026-11-21
 * @register At https://console.x.com: create an app and set up "User authentication" for it: type "Web App" (a confidential
 * client), the callback address under "Callback URI". `clientId` and `clientSecret` are those of OAuth 2.0.
 * @quirk There is no address unless the app may "Request email from users" and asks for it: `authorization: { params: { scope:
 * 'users.read tweet.read offline.access users.email' } }` with `userinfo: { params: { 'user.fields':
 * 'profile_image_url,confirmed_email' } }`. It is one that X has verified.
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
    token: 'https://api.x.com/2/oauth2/token',
    userinfo: { url: 'https://api.x.com/2/users/me', params: { 'user.fields': 'profile_image_url' } },
    checks: ['pkce', 'state'],
    conformProfile: (profile) => ({ ...profile, ...(profile.data?.confirmed_email ? { email_verified: true } : {}) }),
    profile: ({ data }) => ({
      id: data.id,
      name: data.name,
      email: data.confirmed_email ?? data.email ?? null,
      image: data.profile_image_url ?? null,
    }),
    style: { brandColor: '#000000', icon },
    options,
  };
}
