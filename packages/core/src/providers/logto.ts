import type { Untyped } from '../types/user.ts';
import type { OIDCConfig, OIDCUserConfig } from './oauth.ts';

/** Claims of Logto's ID token that the provider reads. */
export interface LogtoProfile {
  sub: string;
  name?: string | null;
  username?: string | null;
  email?: string | null;
  email_verified?: boolean;
  picture?: string | null;
  [claim: string]: Untyped;
}

/**
 * Logto.
 *
 * @see https://docs.logto.io/quick-starts/traditional
 * @reviewed 2026-11-21
 * @email stated
 * @register In the Logto console, "Applications": Create an application of the type "Traditional web" and add the
 * callback URL under "Redirect URIs".
 * @issuer The URL of the tenant or of a self-hosted instance, with `/oidc`: `https://<tenant>.logto.app/oidc`.
 * @quirk To get a refresh token, set `authorization: { params: { prompt: 'consent' } }`.
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
