import { type OIDCConfig, type OIDCUserConfig, type OpenIDProfile, openIDProvider } from './oauth.ts';

/** The claims of IdentityServer's ID token. */
export interface DuendeISUser extends OpenIDProfile {}

/** Claims of the ID token. The former name of the type is {@link DuendeISUser}. */
export type DuendeIdentityServer6Profile = DuendeISUser;

/**
 * Duende IdentityServer.
 *
 * @see https://docs.duendesoftware.com/identityserver/reference/models/client/
 * @see https://docs.duendesoftware.com/identityserver/reference/endpoints/authorize/
 * @reviewed 2026-11-21
 * @email stated
 * @register In IdentityServer's configuration: a client with `AllowedGrantTypes = GrantTypes.Code`, the callback URL in
 * `RedirectUris`, and the scopes `openid`, `profile` and `email`. A demo server is https://demo.duendesoftware.com.
 * @issuer The URL of IdentityServer, as in its metadata.
 * @quirk The ID token contains only the id, unless the client has `AlwaysIncludeUserClaimsInIdToken = true`. With the
 * option `idToken: false`, name and address come from the userinfo endpoint.
 */
export default function DuendeIdentityServer6<P extends DuendeIdentityServer6Profile = DuendeIdentityServer6Profile>(
  options: OIDCUserConfig<P> = {},
): OIDCConfig<NoInfer<P>> {
  return openIDProvider('duende-identity-server6', 'DuendeIdentityServer6', options, {
    style: { label: 'Duende IdentityServer', brandColor: '#e7523e' },
  });
}
