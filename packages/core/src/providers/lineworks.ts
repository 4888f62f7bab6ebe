import type { Foreign } from '../types.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** The members of a LINE WORKS member that are read here. */
export interface LINEWORKSProfile {
  userId: string;
  /** The login, in the form of an address. */
  email: string;
  userName?: { lastName?: string | null; firstName?: string | null } | null;
  nickName?: string | null;
  [claim: string]: Foreign;
}

/**
 * LINE WORKS (in Korea NAVER WORKS).
 *
 * @see https://developers.worksmobile.com/jp/docs/auth-oauth
 * @see https://developers.worksmobile.com/jp/docs/user-me-get
 * @reviewed 2026-11-21
 * @register In the Developer Console (https://dev.worksmobile.com/console), "API 2.0": add an app with the callback address under
 * "Redirect URL" and the scope `user.profile.read`.
 * @quirk The address is the member's login, and not always one that takes mail: users are created under it and never linked by it;
 * `unverifiedEmail` says
 * otherwise, and has to (`'allow'`) where mailed links or another provider would open that user by its address.
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
    conformProfile: (user) => ({ ...user, email_verified: false }),
    unverifiedEmail: 'unshared',
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
