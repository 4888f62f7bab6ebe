import { type OIDCConfig, type OIDCUserConfig, type OpenIDProfile, openIDProvider } from './oauth.ts';

/** The claims of Keycloak's ID token. */
export interface KeycloakProfile extends OpenIDProfile {
  name: string;
  email: string;
  email_verified: boolean;
  preferred_username: string;
}

/**
 * Keycloak.
 *
 * @see https://www.keycloak.org/securing-apps/oidc-layers
 * @reviewed 2026-11-21
 * @email stated
 * @register In the realm's admin console, "Clients": Create an OpenID Connect client. Turn "Client authentication" and
 * "Standard flow" on, and add the callback URL to its "Valid redirect URIs". The secret is under "Credentials".
 * @issuer The URL of the realm: `https://<host>/realms/<realm>`.
 * @quirk The address of a user whom an administrator created counts as unverified until "Email verified" is on.
 */
export default function Keycloak<P extends KeycloakProfile = KeycloakProfile>(
  options: OIDCUserConfig<P> = {},
): OIDCConfig<NoInfer<P>> {
  return openIDProvider('keycloak', 'Keycloak', options, {
    offlineAccess: { scope: 'offline_access' },
    style: { brandColor: '#428bca' },
  });
}
