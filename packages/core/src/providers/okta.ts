import { siOkta as mark } from 'simple-icons';
import { type OIDCConfig, type OIDCUserConfig, type OpenIDProfile, openIDProvider } from './oauth.ts';

/** The claims of Okta's ID token. */
export interface OktaProfile extends OpenIDProfile {
  name: string;
  preferred_username: string;
  email: string;
}

/**
 * Okta.
 *
 * @see https://developer.okta.com/docs/guides/implement-grant-type/authcode/main/
 * @see https://developer.okta.com/docs/concepts/auth-servers/
 * @reviewed 2026-11-21
 * @email not-stated
 * @register In the Okta admin console, "Applications", "Create App Integration": Choose "OIDC" and "Web Application",
 * and add the callback URL to its "Sign-in redirect URIs".
 * @issuer The issuer of the authorization server: `https://<org>.okta.com` for the organization's server, or
 * `https://<org>.okta.com/oauth2/default` for a custom one.
 */
export default function Okta<P extends OktaProfile = OktaProfile>(
  options: OIDCUserConfig<P> = {},
): OIDCConfig<NoInfer<P>> {
  return openIDProvider('okta', 'Okta', options, {
    checks: ['pkce', 'state'],
    offlineAccess: { scope: 'offline_access' },
    style: { brandColor: '#007dc1', icon: mark.path },
  });
}
