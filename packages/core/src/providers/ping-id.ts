import { type OIDCConfig, type OIDCUserConfig, type OpenIDProfile, openIDProvider } from './oauth.ts';

/** The claims of Ping's ID token. */
export interface PingProfile extends OpenIDProfile {}

/**
 * Ping Identity: PingOne.
 *
 * @see https://docs.pingidentity.com/pinggateway/2025.3/pingone/oidc-ping.html
 * @see https://developer.pingidentity.com/pingone-api/auth/openid-connectoauth-2.html
 * @reviewed 2026-11-21
 * @email not-stated
 * @register In the environment's admin console, "Applications": Add an application of the type "OIDC Web App". Enter
 * the callback URL under "Redirect URIs", allow the scopes `profile` and `email`, and turn the application on.
 * @issuer The issuer under "URLs" of the application: `https://auth.pingone.<com, eu, asia …>/<environment id>/as`.
 */
export default function PingId<P extends PingProfile = PingProfile>(
  options: OIDCUserConfig<P> = {},
): OIDCConfig<NoInfer<P>> {
  return openIDProvider('ping-id', 'Ping Identity', options, {
    style: { brandColor: '#b3282d' },
  });
}
