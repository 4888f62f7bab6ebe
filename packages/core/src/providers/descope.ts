import { type OIDCConfig, type OIDCUserConfig, type OpenIDProfile, openIDProvider } from './oauth.ts';

/** The claims of Descope's ID token. */
export interface DescopeProfile extends OpenIDProfile {}

/**
 * Descope.
 *
 * @see https://docs.descope.com/customize/auth/oidc/
 * @reviewed 2026-11-21
 * @email stated
 * @register At https://app.descope.com, "Applications": Add the callback URL to the approved redirect URLs. The client
 * id is the id of the project. The secret is an access key from "Access Keys".
 * @issuer Default: `https://api.descope.com/<clientId>`. Required if the client id comes from the environment and the
 * factory is called without it (`Descope({})`).
 */
export default function Descope<P extends DescopeProfile = DescopeProfile>(
  options: OIDCUserConfig<P> = {},
): OIDCConfig<NoInfer<P>> {
  return openIDProvider('descope', 'Descope', options, {
    ...(options.clientId ? { issuer: `https://api.descope.com/${options.clientId}` } : {}),
    checks: ['pkce', 'state'],
    style: { brandColor: '#1c1c23' },
  });
}
