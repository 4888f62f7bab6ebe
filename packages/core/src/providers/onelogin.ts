import { type OIDCConfig, type OIDCUserConfig, type OpenIDProfile, openIDProvider } from './oauth.ts';

/** The claims of OneLogin's ID token. */
export interface OneLoginProfile extends OpenIDProfile {}

/**
 * OneLogin.
 *
 * @see https://developers.onelogin.com/openid-connect/api/provider-config
 * @reviewed 2026-11-21
 * @email not-stated
 * @register In the OneLogin administration, "Applications": Add the app "OpenId Connect (OIDC)" with the callback URL
 * under "Redirect URIs", and assign users to it. The client id and the secret are under "SSO".
 * @issuer The subdomain, with the version of OpenID Connect: `https://<subdomain>.onelogin.com/oidc/2`.
 */
export default function OneLogin<P extends OneLoginProfile = OneLoginProfile>(
  options: OIDCUserConfig<P> = {},
): OIDCConfig<NoInfer<P>> {
  return openIDProvider('onelogin', 'OneLogin', options, {
    style: { brandColor: '#1c1f2a' },
  });
}
