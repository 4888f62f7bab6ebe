import { siThreads as mark } from 'simple-icons';
import type { Untyped } from '../types/user.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** Members of Threads' user that the provider reads. */
export interface ThreadsProfile {
  id: string;
  username?: string;
  threads_profile_picture_url?: string;
  [claim: string]: Untyped;
}

/**
 * Threads.
 *
 * @see https://developers.facebook.com/documentation/threads/get-started/get-access-tokens-and-permissions
 * @see https://developers.facebook.com/documentation/threads/threads-profiles
 * @reviewed 2026-11-21
 * @email none
 * @register At https://developers.facebook.com/apps: Create an app with the use case "Access the Threads API" and add
 * the callback URL in its settings under "Redirect Callback URLs". Threads accepts only https. Use the id and the
 * secret of the Threads app as `clientId` and `clientSecret`, not those of the Meta app.
 * @quirk Until Meta has reviewed the app, only its testers can sign in.
 * @quirk Threads does not provide an email address.
 */
export default function Threads<P extends ThreadsProfile = ThreadsProfile>(
  options: OAuthUserConfig<P> = {},
): OAuth2Config<NoInfer<P>> {
  return {
    id: 'threads',
    name: 'Threads',
    type: 'oauth',
    authorization: { url: 'https://threads.com/oauth/authorize', params: { scope: 'threads_basic' } },
    token: {
      url: 'https://graph.threads.com/oauth/access_token',
      // The response with a short-lived token has no `token_type`.
      async conform(answer) {
        return answer.ok ? Response.json({ token_type: 'bearer', ...(await answer.json()) }) : undefined;
      },
    },
    userinfo: {
      url: 'https://graph.threads.com/v1.0/me',
      params: { fields: 'id,username,threads_profile_picture_url' },
    },
    client: { token_endpoint_auth_method: 'client_secret_post' },
    checks: ['state'],
    profile: ({ id, username, threads_profile_picture_url: picture }) => ({
      id,
      name: username ?? null,
      email: null,
      image: picture ?? null,
    }),
    style: { brandColor: '#000000', icon: mark.path },
    options,
  };
}
