import { icon } from '../icons/authentik.ts';
import type { Foreign } from '../types.ts';
import type { OIDCConfig, OIDCUserConfig } from './oauth.ts';

/** The claims of authentik's ID token that are read here. */
export interface AuthentikProfile {
  sub: string;
  name: string;
  email: string;
  email_verified: boolean;
  preferred_username: string;
  [claim: string]: Foreign;
}

/**
 * authentik.
 *
 * @see https://docs.goauthentik.io/add-secure-apps/providers/oauth2/
 * @see https://docs.goauthentik.io/add-secure-apps/providers/oauth2/verify-email-address/
 * @reviewed 2026-11-21
 * @register In the admin interface, "Applications": create one with an OAuth2/OpenID provider of the client type "Confidential",
 * with the callback address as strict "Redirect URI" and a signing key.
 * @issuer `https://<host>/application/o/<slug>/`: the application's "OpenID Configuration Issuer", with its last slash.
 * @quirk authentik verifies no addresses, and says so since 2025.10: users are created under one and never linked by it, unless a
 * scope mapping of your own says `email_verified: True`; `unverifiedEmail` says
 * otherwise, and has to (`'allow'`) where mailed links or another provider would open that user by its address.
 */
export default function Authentik<P extends AuthentikProfile = AuthentikProfile>(
  options: OIDCUserConfig<P> = {},
): OIDCConfig<NoInfer<P>> {
  return {
    id: 'authentik',
    name: 'Authentik',
    type: 'oidc',
    unverifiedEmail: 'unshared',
    style: { brandColor: '#fd4b2d', icon },
    options,
  };
}
