import { icon } from '../icons/naver.ts';
import type { Foreign } from '../types.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** The members of Naver's answer that are read here. */
export interface NaverProfile {
  response: { id: string; nickname?: string; email?: string; profile_image?: string; [claim: string]: Foreign };
  [claim: string]: Foreign;
}

/**
 * Naver.
 *
 * @see https://developers.naver.com/docs/login/api/api.md
 * @see https://developers.naver.com/docs/login/profile/profile.md
 * @reviewed 2026-11-21
 * @register At https://developers.naver.com/apps/#/register: register an application that uses the login API, choose what it asks
 * for, and enter the callback address for the environment "PC Web". Until Naver has inspected it, only testers can sign in.
 * @quirk Visitors choose what they tell, so name, address and picture may be missing.
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
    style: { brandColor: '#03c75a', icon },
    options,
  };
}
