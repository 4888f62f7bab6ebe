import type { Foreign } from '../types.ts';
import type { OIDCConfig, OIDCUserConfig } from './oauth.ts';

/** The claims of IdentityServer4's ID token that are read here. */
export interface IdentityServer4Profile {
  sub: string;
  name?: string;
  email?: string;
  email_verified?: boolean;
  picture?: string;
  [claim: string]: Foreign;
}

/**
 * IdentityServer4.
 *
 * @see https://identityserver4.readthedocs.io/en/latest/topics/clients.html
 * @reviewed 2026-11-21
 * @register In the server's configuration: a client with `AllowedGrantTypes = GrantTypes.Code`, a secret, the callback address in
 * `RedirectUris`, and the scopes `openid`, `profile` and `email`.
 * @issuer The server's address: `https://<host>`.
 * @quirk The ID token has only an id, unless the client is configured with `AlwaysIncludeUserClaimsInIdToken`. Otherwise set
 * `idToken: false`, and the profile is asked for.
 * @quirk IdentityServer4 has had no updates since December 2022; its successor is Duende IdentityServer.
 */
export default function IdentityServer4<P extends IdentityServer4Profile = IdentityServer4Profile>(
  options: OIDCUserConfig<P> = {},
): OIDCConfig<NoInfer<P>> {
  return {
    id: 'identity-server4',
    name: 'IdentityServer4',
    type: 'oidc',
    style: { brandColor: '#1d4289' },
    options,
  };
}
