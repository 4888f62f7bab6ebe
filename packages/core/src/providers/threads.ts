import { icon } from '../icons/threads.ts';
import type { Foreign } from '../types.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** The members of Threads' user that are read here. */
export interface ThreadsProfile {
  id: string;
  username?: string;
  threads_profile_picture_url?: string;
  [claim: string]: Foreign;
}

/**
 * Threads.
 *
 * @see https://developers.facebook.com/documentation/threads/get-started/get-access-tokens-and-permissions
 * @see https://developers.facebook.com/documentation/threads/threads-profiles
 * @reviewed 2026-11-21
 * @register At https://developers.facebook.com/apps: create an app with the use case "Access the Threads API" and add the callback
 * address under its settings, "Redirect Callback URLs". Threads takes https only. `clientId` and `clientSecret` are the Threads
 * app's, not the app's.
 * @quirk Until Meta has reviewed the app, only its testers can sign in.
 * @quirk Threads tells no address.
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
      // Short-lived tokens come without a type.
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
    style: { brandColor: '#000000', icon },
    options,
  };
}
