import { siAuthelia as mark } from 'simple-icons';
import { type OIDCConfig, type OIDCUserConfig, type OpenIDProfile, openIDProvider } from './oauth.ts';

/** The members of Authelia's userinfo. */
export interface AutheliaProfile extends OpenIDProfile {}

/**
 * Authelia.
 *
 * @see https://www.authelia.com/integration/openid-connect/introduction/
 * @see https://www.authelia.com/integration/openid-connect/openid-connect-1.0-claims/
 * @reviewed 2026-11-21
 * @email stated
 * @register In Authelia's configuration, `identity_providers.oidc.clients`: Add a client with the callback URL in
 * `redirect_uris` and the `scopes` `openid`, `profile` and `email`. Set `token_endpoint_auth_method:
 * 'client_secret_basic'`. The configuration contains the hash of the secret.
 * @issuer The URL of Authelia's portal: `https://<host>`.
 */
export default function Authelia<P extends AutheliaProfile = AutheliaProfile>(
  options: OIDCUserConfig<P> = {},
): OIDCConfig<NoInfer<P>> {
  return openIDProvider('authelia', 'Authelia', options, {
    // Since version 4.39, the ID token contains only `sub`.
    idToken: false,
    style: { brandColor: '#113155', icon: mark.path },
  });
}
