import type { Foreign } from '../types.ts';
import type { OIDCConfig, OIDCUserConfig } from './oauth.ts';

/** The claims of Ping's ID token that are read here. */
export interface PingProfile {
  sub: string;
  name?: string;
  preferred_username?: string;
  email?: string;
  picture?: string;
  [claim: string]: Foreign;
}

/**
 * Ping Identity: PingOne.
 *
 * @see https://docs.pingidentity.com/pinggateway/2025.3/pingone/oidc-ping.html
 * @see https://developer.pingidentity.com/pingone-api/auth/openid-connectoauth-2.html
 * @reviewed 2026-11-21
 * @register In the environment's admin console, "Applications": add one of the type "OIDC Web App", enter the callback address under
 * "Redirect URIs", allow the scopes `profile` and `email`, and switch it on.
 * @issuer The one under "URLs" of the application: `https://auth.pingone.<com, eu, asia …>/<environment id>/as`.
 */
export default function PingId<P extends PingProfile = PingProfile>(
  options: OIDCUserConfig<P> = {},
): OIDCConfig<NoInfer<P>> {
  return {
    id: 'ping-id',
    name: 'Ping Identity',
    type: 'oidc',
    style: { brandColor: '#b3282d' },
    options,
  };
}
