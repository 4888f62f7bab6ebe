import { icon } from '../icons/42-school.ts';
import type { Foreign } from '../types.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** The members of 42's user that are read here. */
export interface FortyTwoProfile {
  id: number;
  usual_full_name: string | null;
  email: string;
  image?: { link: string | null } | null;
  [claim: string]: Foreign;
}

/**
 * 42, the school.
 *
 * @see https://api.intra.42.fr/apidoc/guides/web_application_flow
 * @see https://api.intra.42.fr/apidoc/2.0/users/me.html
 * @reviewed 2026-11-21
 * @register At https://profile.intra.42.fr/oauth/applications/new: register an application and add the callback address under
 * "Redirect URI".
 */
export default function FortyTwo<P extends FortyTwoProfile = FortyTwoProfile>(
  options: OAuthUserConfig<P> = {},
): OAuth2Config<NoInfer<P>> {
  return {
    id: '42-school',
    name: '42 School',
    type: 'oauth',
    authorization: { url: 'https://api.intra.42.fr/oauth/authorize', params: { scope: 'public' } },
    token: 'https://api.intra.42.fr/oauth/token',
    userinfo: 'https://api.intra.42.fr/v2/me',
    profile: ({ id, usual_full_name, email, image }) => ({
      id: String(id),
      name: usual_full_name,
      email,
      image: image?.link ?? null,
    }),
    style: { brandColor: '#000000', icon },
    options,
  };
}
