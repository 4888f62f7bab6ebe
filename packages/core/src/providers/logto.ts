import type { Foreign } from '../types.ts';
import type { OIDCConfig, OIDCUserConfig } from './oauth.ts';

/** The claims of Logto's ID token that are read here. */
export interface LogtoProfile {
  sub: string;
  name?: string | null;
  username?: string | null;
  email?: string | null;
  email_verified?: boolean;
  picture?: string | null;
  [claim: string]: Foreign;
}

/**
 * Logto.
 *
 * @see https://docs.logto.io/quick-starts/traditional
 * @reviewed 2026-11-21
 * @register In the Logto console, "Applications": create one of the type "Traditional web" and add the callback address under
 * "Redirect URIs".
 * @issuer The tenant's address with `/oidc`: `https://<tenant>.logto.app/oidc`, or that of an instance of one's own.
 * @quirk A refresh token comes with `authorization: { params: { prompt: 'consent' } }`.
 */
export default function Logto<P extends LogtoProfile = LogtoProfile>(
  options: OIDCUserConfig<P> = {},
): OIDCConfig<NoInfer<P>> {
  return {
    id: 'logto',
    name: 'Logto',
    type: 'oidc',
    authorization: { params: { scope: 'offline_access openid email profile' } },
    profile: ({ sub, name, username, email, picture }) => ({
      id: sub,
      name: name ?? username ?? null,
      email: email ?? null,
      image: picture ?? null,
    }),
    style: { brandColor: '#7958ff' },
    options,
  };
}
