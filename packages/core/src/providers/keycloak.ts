import { icon } from '../icons/keycloak.ts';
import type { OIDCConfig, OIDCUserConfig } from './oauth.ts';

/** The claims of Keycloak's ID token that are read here. */
export interface KeycloakProfile {
  sub: string;
  name: string;
  email: string;
  email_verified: boolean;
  preferred_username: string;
  [claim: string]: unknown;
}

/** Keycloak. https://www.keycloak.org/securing-apps/oidc-layers — `issuer` is `https://<host>/realms/<realm>`. */
export default function Keycloak(options: OIDCUserConfig<KeycloakProfile> = {}): OIDCConfig<KeycloakProfile> {
  return {
    id: 'keycloak',
    name: 'Keycloak',
    type: 'oidc',
    style: { brandColor: '#428bca', icon },
    options,
  };
}
