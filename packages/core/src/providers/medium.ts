import { siMedium as mark } from 'simple-icons';
import type { Untyped } from '../types/user.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** Members of Medium's user that the provider reads. */
export interface MediumProfile {
  data: { id: string; name: string; imageUrl?: string; [claim: string]: Untyped };
  [claim: string]: Untyped;
}

/**
 * Medium.
 *
 * @see https://github.com/Medium/medium-api-docs
 * @reviewed 2026-11-21
 * @email none
 * @register New applications cannot be registered.
 * @quirk Medium has archived its API, and does not accept new applications since January 2025. Existing ones still
 * work.
 * @quirk Medium does not provide an email address.
 */
export default function Medium<P extends MediumProfile = MediumProfile>(
  options: OAuthUserConfig<P> = {},
): OAuth2Config<NoInfer<P>> {
  return {
    id: 'medium',
    name: 'Medium',
    type: 'oauth',
    authorization: { url: 'https://medium.com/m/oauth/authorize', params: { scope: 'basicProfile' } },
    token: {
      url: 'https://api.medium.com/v1/tokens',
      // The token response has status 201, a list of scopes, and the expiry in milliseconds.
      async conform(answer) {
        if (!answer.ok) return undefined;
        const { scope, expires_at, ...body } = await answer.json();
        const end = expires_at > 0 ? { expires_at: Math.floor(expires_at / 1000) } : {};
        return Response.json({ ...body, ...end, scope: [scope].flat().join(' ') });
      },
    },
    userinfo: 'https://api.medium.com/v1/me',
    client: { token_endpoint_auth_method: 'client_secret_post' },
    profile: ({ data: { id, name, imageUrl } }) => ({ id, name, email: null, image: imageUrl ?? null }),
    style: { brandColor: '#000000', icon: mark.path },
    options,
  };
}
