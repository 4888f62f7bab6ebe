import type { Untyped } from '../types/user.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** Members of a LINE WORKS member that the provider reads. */
export interface LINEWORKSProfile {
  userId: string;
  /** The login, which looks like an email address. */
  email: string;
  userName?: { lastName?: string | null; firstName?: string | null } | null;
  nickName?: string | null;
  [claim: string]: Untyped;
}

/**
 * LINE WORKS, named NAVER WORKS in Korea.
 *
 * @see https://developers.worksmobile.com/jp/docs/auth-oauth
 * @see https://developers.worksmobile.com/jp/docs/user-me-get
 * @reviewed 2026-11-21
 * @email unverified
 * @register In the Developer Console (https://dev.worksmobile.com/console), "API 2.0": Add an app with the callback URL
 * under "Redirect URL" and the scope `user.profile.read`.
 * @quirk The address is the member's login, which does not always receive mail. It does not count as verified. Users
 * are created with an unverified address, but never linked by it. If another provider mails links or sets
 * `allowDangerousEmailAccountLinking`, such a sign-in is refused, unless you set `unverifiedEmail: 'allow'`.
 */
export default function LINEWORKS<P extends LINEWORKSProfile = LINEWORKSProfile>(
  options: OAuthUserConfig<P> = {},
): OAuth2Config<NoInfer<P>> {
  return {
    id: 'lineworks',
    name: 'LINE WORKS',
    type: 'oauth',
    authorization: {
      url: 'https://auth.worksmobile.com/oauth2/v2.0/authorize',
      params: { scope: 'user.profile.read' },
    },
    token: 'https://auth.worksmobile.com/oauth2/v2.0/token',
    userinfo: 'https://www.worksapis.com/v1.0/users/me',
    checks: ['state'],
    client: { token_endpoint_auth_method: 'client_secret_post' },
    emailVerification: 'never',
    profile: ({ userId, email, userName, nickName }) => ({
      id: userId,
      name: [userName?.lastName, userName?.firstName].filter(Boolean).join(' ') || nickName || null,
      email: email ?? null,
      image: null,
    }),
    style: { brandColor: '#00c73c' },
    options,
  };
}
