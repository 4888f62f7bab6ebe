import { icon } from '../icons/keycloak.ts';
import type { Foreign } from '../types.ts';
import type { OIDCConfig, OIDCUserConfig } from './oauth.ts';

/** The claims of Keycloak's ID token that are read here. */
export interface KeycloakProfile {
  sub: string;
  name: string;
  email: string;
  email_verified: boolean;
  preferred_username: string;
  [claim: string]: Foreign;
}

/**
 * Keycloak.
 *
 * @see https://www.keycloak.org/securing-apps/oidc-layers
 * @reviewed 2026-11-21
 * @register In the realm's admin console, "Clients": create an OpenID Connect client with "Client authentication" and "Standard
 * flow" on, and add the callback address to its "Valid redirect URIs". The secret is under "Credentials".
 * @issuer The realm's address: `https://<host>/realms/<realm>`.
 * @quirk A user created by an administrator counts as unverified until "Email verified" is on.
 */
export default function Keycloak<P extends KeycloakProfile = KeycloakProfile>(
  options: OIDCUserConfig<P> = {},
): OIDCConfig<NoInfer<P>> {
  return {
    id: 'keycloak',
    name: 'Keycloak',
    type: 'oidc',
    style: { brandColor: '#428bca', icon },
    options,
  };
}
