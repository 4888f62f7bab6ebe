import { type OIDCConfig, type OIDCUserConfig, type OpenIDProfile, openIDProvider } from './oauth.ts';

/** The claims of ZITADEL's ID token. */
export interface ZitadelProfile extends OpenIDProfile {}

/**
 * ZITADEL.
 *
 * @see https://zitadel.com/docs/guides/integrate/login/oidc/login-users
 * @reviewed 2026-11-21
 * @email stated
 * @register In the console, in a project: Create an application of the type "Web" with the authentication method "Code"
 * (or "Basic"). Enter the callback URL under "Redirect URIs". Under "Token Settings", turn "User Info inside ID Token"
 * on; otherwise name and address are missing.
 * @issuer The domain of the instance: `https://<instance>.<region>.zitadel.cloud`, or a custom domain.
 */
export default function ZITADEL<P extends ZitadelProfile = ZitadelProfile>(
  options: OIDCUserConfig<P> = {},
): OIDCConfig<NoInfer<P>> {
  return openIDProvider('zitadel', 'ZITADEL', options, {
    style: { brandColor: '#000000' },
  });
}
