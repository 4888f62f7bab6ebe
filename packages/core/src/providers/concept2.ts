import type { Untyped } from '../types/user.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** Members of Concept2's user that the provider reads. */
export interface Concept2Profile {
  data: { id: number; username: string; email?: string | null; profile_image?: string | null };
  [claim: string]: Untyped;
}

/**
 * Concept2 Logbook.
 *
 * @see https://log.concept2.com/developers/documentation/
 * @reviewed 2026-11-21
 * @email not-stated
 * @register At https://log.concept2.com/developers/keys: Create an application and enter the callback URL. To try it
 * out, there is https://log-dev.concept2.com.
 * @quirk Scopes are separated by commas. The default ones may write results; to sign people in, `user:read` is enough.
 */
export default function Concept2<P extends Concept2Profile = Concept2Profile>(
  options: OAuthUserConfig<P> = {},
): OAuth2Config<NoInfer<P>> {
  return {
    id: 'concept2',
    name: 'Concept2',
    type: 'oauth',
    authorization: {
      url: 'https://log.concept2.com/oauth/authorize',
      params: { scope: 'user:read,results:write' },
    },
    token: 'https://log.concept2.com/oauth/access_token',
    userinfo: {
      url: 'https://log.concept2.com/api/users/me',
      headers: { accept: 'application/vnd.c2logbook.v1+json' },
    },
    client: { token_endpoint_auth_method: 'client_secret_post' },
    numericAccountIds: true,
    profile: ({ data }) => ({
      id: String(data.id),
      name: data.username,
      email: data.email ?? null,
      image: data.profile_image ?? null,
    }),
    style: { brandColor: '#1f3864' },
    options,
  };
}
