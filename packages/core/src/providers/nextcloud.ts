import { icon } from '../icons/nextcloud.ts';
import type { Foreign } from '../types.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** The members of Nextcloud's user that are read here. */
export interface NextcloudProfile {
  id: string;
  displayname?: string | null;
  email?: string | null;
  /** Address of the avatar, made of the members above. */
  picture?: string;
  [claim: string]: Foreign;
}

/**
 * Nextcloud.
 *
 * @see https://docs.nextcloud.com/server/latest/admin_manual/configuration_server/oauth2.html
 * @see https://docs.nextcloud.com/server/latest/developer_manual/client_apis/OCS/ocs-api-overview.html
 * @reviewed 2026-11-21
 * @register On the instance, "Administration settings", "Security", "OAuth 2.0 clients": add a client with the callback address
 * as "Redirection URI".
 * @issuer The instance's address: `https://<host>`.
 * @quirk Nextcloud has no scopes: the access token may do whatever the user may.
 * @quirk Users may enter any address, and Nextcloud does not verify it: users are created under one and never linked by it;
 * `unverifiedEmail` says
 * otherwise, and has to (`'allow'`) where mailed links or another provider would open that user by its address.
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
      email_verified: false,
    }),
    unverifiedEmail: 'unshared',
    profile: ({ id, displayname, email, picture }) => ({
      id,
      name: displayname ?? null,
      email: email ?? null,
      image: picture ?? null,
    }),
    style: { brandColor: '#0082c9', icon },
    options,
  };
}
