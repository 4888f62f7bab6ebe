import { si42 as mark } from 'simple-icons';
import type { Untyped } from '../types/user.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** Members of 42's user that the provider reads. */
export interface FortyTwoProfile {
  id: number;
  usual_full_name: string | null;
  email: string;
  image?: { link: string | null } | null;
  [claim: string]: Untyped;
}

/**
 * The accounts of the programming school 42.
 *
 * @see https://api.intra.42.fr/apidoc/guides/web_application_flow
 * @see https://api.intra.42.fr/apidoc/2.0/users/me.html
 * @reviewed 2026-11-21
 * @email not-stated
 * @register At https://profile.intra.42.fr/oauth/applications/new: Register an application and add the callback URL
 * under "Redirect URI".
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
    style: { brandColor: '#000000', icon: mark.path },
    options,
  };
}
