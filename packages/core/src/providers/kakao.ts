import { siKakaotalk as mark } from 'simple-icons';
import type { Untyped } from '../types/user.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** Members of Kakao's user that the provider reads. */
export interface KakaoProfile {
  id: number;
  kakao_account?: {
    profile?: { nickname?: string; profile_image_url?: string };
    email?: string;
    /** `false` if another account now uses the address. */
    is_email_valid?: boolean;
    is_email_verified?: boolean;
  };
  [claim: string]: Untyped;
}

/**
 * Kakao.
 *
 * @see https://developers.kakao.com/docs/latest/en/kakaologin/rest-api
 * @reviewed 2026-11-21
 * @email stated
 * @register At https://developers.kakao.com/console/app: Add an app, activate "Kakao Login", and add the callback URL
 * as "Redirect URI". `clientId` is the REST API key, and `clientSecret` is its client secret.
 * @quirk The settings under "Consent Items" decide which data the user is asked for; scopes do not. Only apps with
 * business information can get the email address.
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
    // Otherwise the URLs of pictures begin with `http`.
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
    style: { brandColor: '#ffcd00', icon: mark.path },
    options,
  };
}
