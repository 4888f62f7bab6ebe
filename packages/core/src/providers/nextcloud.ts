import { siNextcloud as mark } from 'simple-icons';
import type { Untyped } from '../types/user.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** Members of Nextcloud's user that the provider reads. */
export interface NextcloudProfile {
  id: string;
  displayname?: string | null;
  email?: string | null;
  /** URL of the avatar, composed of the members above. */
  picture?: string;
  [claim: string]: Untyped;
}

/**
 * Nextcloud.
 *
 * @see https://docs.nextcloud.com/server/latest/admin_manual/configuration_server/oauth2.html
 * @see https://docs.nextcloud.com/server/latest/developer_manual/client_apis/OCS/ocs-api-overview.html
 * @reviewed 2026-11-21
 * @email unverified
 * @register On the instance, "Administration settings", "Security", "OAuth 2.0 clients": Add a client with the callback
 * URL as "Redirection URI".
 * @issuer The URL of the instance: `https://<host>`.
 * @quirk Nextcloud has no scopes: the access token has all permissions of the user.
 * @quirk Nextcloud does not verify addresses: users can enter any address. Users are created with an unverified
 * address, but never linked by it. If another provider mails links or sets `allowDangerousEmailAccountLinking`, such a
 * sign-in is refused, unless you set `unverifiedEmail: 'allow'`.
 */
export default function Nextcloud<P extends NextcloudProfile = NextcloudProfile>(
  options: OAuthUserConfig<P> = {},
): OAuth2Config<NoInfer<P>> {
  return {
    id: 'nextcloud',
    name: 'Nextcloud',
    type: 'oauth',
    authorization: './apps/oauth2/authorize',
    token: './apps/oauth2/api/v1/token',
    userinfo: {
      url: './ocs/v2.php/cloud/user',
      params: { format: 'json' },
      headers: { 'OCS-APIRequest': 'true' },
      conform: async (answer) => (answer.ok ? Response.json((await answer.json()).ocs.data) : undefined),
    },
    conformProfile: (user, { provider }) => ({
      ...user,
      picture: `${provider.issuer?.replace(/\/$/, '')}/avatar/${encodeURIComponent(user.id)}/512`,
    }),
    emailVerification: 'never',
    profile: ({ id, displayname, email, picture }) => ({
      id,
      name: displayname ?? null,
      email: email ?? null,
      image: picture ?? null,
    }),
    style: { brandColor: '#0082c9', icon: mark.path },
    options,
  };
}
