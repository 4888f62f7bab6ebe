import { type OIDCConfig, type OIDCUserConfig, type OpenIDProfile, openIDProvider } from './oauth.ts';

/** The claims of Asgardeo's ID token. */
export interface AsgardeoProfile extends OpenIDProfile {}

/**
 * Asgardeo, and WSO2 Identity Server.
 *
 * @see https://wso2.com/asgardeo/docs/guides/authentication/oidc/
 * @see https://wso2.com/asgardeo/docs/guides/authentication/oidc/discover-oidc-configs/
 * @reviewed 2026-11-21
 * @email not-stated
 * @register At https://console.asgardeo.io, "Applications": Register a "Traditional Web Application" for OpenID
 * Connect, and add the callback URL to its "Authorized redirect URLs". Choose the claims of the ID token under "User
 * Attributes".
 * @issuer `https://api.asgardeo.io/t/<organization>/oauth2/token`, with the path of the token endpoint, as in the
 * metadata.
 * @quirk The name is missing if the attributes include only its parts. Add "Full Name".
 */
export default function Asgardeo<P extends AsgardeoProfile = AsgardeoProfile>(
  options: OIDCUserConfig<P> = {},
): OIDCConfig<NoInfer<P>> {
  return openIDProvider('asgardeo', 'Asgardeo', options, {
    style: { brandColor: '#000000' },
  });
}
