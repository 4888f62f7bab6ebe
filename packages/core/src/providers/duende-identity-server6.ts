import type { Foreign } from '../types.ts';
import type { OIDCConfig, OIDCUserConfig } from './oauth.ts';

/** The claims of IdentityServer's ID token that are read here. */
export interface DuendeISUser {
  sub: string;
  name?: string;
  email?: string;
  email_verified?: boolean;
  picture?: string;
  [claim: string]: Foreign;
}

/** What this file calls a profile; the type's older name is {@link DuendeISUser}. */
export type DuendeIdentityServer6Profile = DuendeISUser;

/**
 * Duende IdentityServer.
 *
 * @see https://docs.duendesoftware.com/identityserver/reference/models/client/
 * @see https://docs.duendesoftware.com/identityserver/reference/endpoints/authorize/
 * @reviewed 2026-11-21
 * @register In IdentityServer's configuration: a client with `AllowedGrantTypes = GrantTypes.Code`, the callback address in
 * `RedirectUris`, and the scopes `openid`, `profile` and `email`. To try it out, there is https://demo.duendesoftware.com.
 * @issuer IdentityServer's address, as its metadata say it.
 * @quirk The ID token says nothing but the id, unless the client has `AlwaysIncludeUserClaimsInIdToken = true`; with the option
 * `idToken: false`, name and address come from the userinfo endpoint.
 */
export default function DuendeIdentityServer6<P extends DuendeIdentityServer6Profile = DuendeIdentityServer6Profile>(
  options: OIDCUserConfig<P> = {},
): OIDCConfig<NoInfer<P>> {
  return {
    id: 'duende-identity-server6',
    name: 'DuendeIdentityServer6',
    type: 'oidc',
    style: { brandColor: '#e7523e' },
    options,
  };
}
