import { icon } from '../icons/kakao.ts';
import type { Foreign } from '../types.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** The members of Kakao's user that are read here. */
export interface KakaoProfile {
  id: number;
  kakao_account?: {
    profile?: { nickname?: string; profile_image_url?: string };
    email?: string;
    /** `false` when another account has taken the address over. */
    is_email_valid?: boolean;
    is_email_verified?: boolean;
  };
  [claim: string]: Foreign;
}

/**
 * Kakao.
 *
 * @see https://developers.kakao.com/docs/latest/en/kakaologin/rest-api
 * @reviewed 2026-11-21
 * @register At https://developers.kakao.com/console/app: add an app, activate "Kakao Login", and add the callback address as
 * "Redirect URI". `clientId` is the REST API key, `clientSecret` the client secret that belongs to it.
 * @quirk What is asked of the visitor is set under "Consent Items", not by a scope. The address is for apps with business
 * information only.
 */
export default function Kakao<P extends KakaoProfile = KakaoProfile>(
  options: OAuthUserConfig<P> = {},
): OAuth2Config<NoInfer<P>> {
  return {
    id: 'kakao',
    name: 'Kakao',
    type: 'oauth',
    authorization: { url: 'https://kauth.kakao.com/oauth/authorize', params: { scope: '' } },
    token: 'https://kauth.kakao.com/oauth/token',
    // Without this, addresses of pictures begin with http.
    userinfo: { url: 'https://kapi.kakao.com/v2/user/me', params: { secure_resource: true } },
    client: { token_endpoint_auth_method: 'client_secret_post' },
    conformProfile(user) {
      const { email, is_email_valid, is_email_verified } = user.kakao_account ?? {};
      return email ? { ...user, email_verified: is_email_valid === true && is_email_verified === true } : user;
    },
    profile: ({ id, kakao_account: account }) => ({
      id: String(id),
      name: account?.profile?.nickname ?? null,
      email: account?.email ?? null,
      image: account?.profile?.profile_image_url ?? null,
    }),
    style: { brandColor: '#ffcd00', icon },
    options,
  };
}
