import { icon } from '../icons/medium.ts';
import type { Foreign } from '../types.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** The members of Medium's user that are read here. */
export interface MediumProfile {
  data: { id: string; name: string; imageUrl?: string; [claim: string]: Foreign };
  [claim: string]: Foreign;
}

/**
 * Medium.
 *
 * @see https://github.com/Medium/medium-api-docs
 * @reviewed 2026-11-21
 * @register No longer possible.
 * @quirk Medium has archived its API, and takes no new applications since January 2025; earlier ones go on working.
 * @quirk There is no address.
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
      // Tokens come with status 201, the scope as a list and the end in milliseconds.
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
    style: { brandColor: '#000000', icon },
    options,
  };
}
