import { type OIDCConfig, type OIDCUserConfig, type OpenIDProfile, openIDProvider } from './oauth.ts';

/** The claims of IdentityServer4's ID token. */
export interface IdentityServer4Profile extends OpenIDProfile {}

/**
 * IdentityServer4.
 *
 * @see https://identityserver4.readthedocs.io/en/latest/topics/clients.html
 * @reviewed 2026-11-21
 * @email stated
 * @register In the server's configuration: Add a client with `AllowedGrantTypes = GrantTypes.Code`, a secret, the
 * callback URL in `RedirectUris`, and the scopes `openid`, `profile` and `email`.
 * @issuer The URL of the server: `https://<host>`.
 * @quirk The ID token contains only the id, unless the client has `AlwaysIncludeUserClaimsInIdToken = true`. With the
 * option `idToken: false`, the profile comes from the userinfo endpoint.
 * @quirk IdentityServer4 has not been updated since December 2022. Its successor is Duende IdentityServer.
 */
export default function IdentityServer4<P extends IdentityServer4Profile = IdentityServer4Profile>(
  options: OIDCUserConfig<P> = {},
): OIDCConfig<NoInfer<P>> {
  return openIDProvider('identity-server4', 'IdentityServer4', options, {
    style: { brandColor: '#1d4289' },
  });
}
