import { icon } from '../icons/authelia.ts';
import type { Foreign } from '../types.ts';
import type { OIDCConfig, OIDCUserConfig } from './oauth.ts';

/** The members of Authelia's userinfo that are read here. */
export interface AutheliaProfile {
  sub: string;
  name?: string;
  preferred_username?: string;
  email?: string;
  email_verified?: boolean;
  picture?: string;
  [claim: string]: Foreign;
}

/**
 * Authelia.
 *
 * @see https://www.authelia.com/integration/openid-connect/introduction/
 * @see https://www.authelia.com/integration/openid-connect/openid-connect-1.0-claims/
 * @reviewed 2026-11-21
 * @register In Authelia's configuration, `identity_providers.oidc.clients`: add one with the callback address in `redirect_uris`, the
 * `scopes` `openid`, `profile` and `email`, and `token_endpoint_auth_method: 'client_secret_basic'`. The file holds the secret's hash.
 * @issuer The address of Authelia's portal: `https://<host>`.
 */
export default function Authelia<P extends AutheliaProfile = AutheliaProfile>(
  options: OIDCUserConfig<P> = {},
): OIDCConfig<NoInfer<P>> {
  return {
    id: 'authelia',
    name: 'Authelia',
    type: 'oidc',
    // Since version 4.39 the ID token tells no more than the subject.
    idToken: false,
    style: { brandColor: '#113155', icon },
    options,
  };
}
