import { siNaver as mark } from 'simple-icons';
import type { Untyped } from '../types/user.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** Members of Naver's answer that the provider reads. */
export interface NaverProfile {
  response: { id: string; nickname?: string; email?: string; profile_image?: string; [claim: string]: Untyped };
  [claim: string]: Untyped;
}

/**
 * Naver.
 *
 * @see https://developers.naver.com/docs/login/api/api.md
 * @see https://developers.naver.com/docs/login/profile/profile.md
 * @reviewed 2026-11-21
 * @email not-stated
 * @register At https://developers.naver.com/apps/#/register: Register an application that uses the login API, choose
 * the data that it asks for, and enter the callback URL for the environment "PC Web". Until Naver has reviewed it, only
 * testers can sign in.
 * @quirk Users choose which data they share, so name, address and picture may be missing.
 */
export default function Naver<P extends NaverProfile = NaverProfile>(
  options: OAuthUserConfig<P> = {},
): OAuth2Config<NoInfer<P>> {
  return {
    id: 'naver',
    name: 'Naver',
    type: 'oauth',
    authorization: 'https://nid.naver.com/oauth2.0/authorize',
    token: 'https://nid.naver.com/oauth2.0/token',
    userinfo: 'https://openapi.naver.com/v1/nid/me',
    client: { token_endpoint_auth_method: 'client_secret_post' },
    profile: ({ response: { id, nickname, email, profile_image } }) => ({
      id,
      name: nickname ?? null,
      email: email ?? null,
      image: profile_image ?? null,
    }),
    style: { brandColor: '#03c75a', icon: mark.path },
    options,
  };
}
