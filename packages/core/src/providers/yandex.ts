import type { Untyped } from '../types/user.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** Members of Yandex' user that the provider reads. */
export interface YandexProfile {
  id: string;
  display_name?: string;
  real_name?: string | null;
  first_name?: string | null;
  default_email?: string;
  emails?: string[];
  is_avatar_empty?: boolean;
  default_avatar_id?: string;
  [claim: string]: Untyped;
}

/**
 * Yandex.
 *
 * @see https://yandex.com/dev/id/doc/en/codes/code-url
 * @see https://yandex.com/dev/id/doc/en/user-information
 * @reviewed 2026-11-21
 * @email not-stated
 * @register At https://oauth.yandex.com/client/new/id: Create an application for web services with the callback URL as "Redirect URI". Give it access to name, email address and portrait ("login:info", "login:email", "login:avatar").
 */
export default function Yandex<P extends YandexProfile = YandexProfile>(
  options: OAuthUserConfig<P> = {},
): OAuth2Config<NoInfer<P>> {
  return {
    id: 'yandex',
    name: 'Yandex',
    type: 'oauth',
    authorization: {
      url: 'https://oauth.yandex.ru/authorize',
      params: { scope: 'login:info login:email login:avatar' },
    },
    token: 'https://oauth.yandex.ru/token',
    userinfo: { url: 'https://login.yandex.ru/info', params: { format: 'json' } },
    profile: ({ id, default_avatar_id: avatar, ...user }: YandexProfile) => ({
      id,
      name: user.display_name ?? user.real_name ?? user.first_name ?? null,
      email: user.default_email ?? user.emails?.[0] ?? null,
      image: avatar && !user.is_avatar_empty ? `https://avatars.yandex.net/get-yapic/${avatar}/islands-200` : null,
    }),
    style: { brandColor: '#ffcc00' },
    options,
  };
}
