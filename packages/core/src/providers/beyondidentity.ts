import type { Untyped } from '../types/user.ts';
import type { OIDCConfig, OIDCUserConfig } from './oauth.ts';

/** Claims of Beyond Identity's ID token that the provider reads. */
export interface BeyondIdentityProfile {
  sub: string;
  name: string;
  email: string;
  preferred_username: string;
  [claim: string]: Untyped;
}

/**
 * Beyond Identity.
 *
 * @see https://developer.beyondidentity.com/
 * @reviewed 2026-11-21
 * @email not-stated
 * @register In the Secure Access admin console, "Applications": Add an application with the protocol OIDC and the
 * client type "Confidential", with the callback URL under "Redirect URIs".
 * @issuer The application's "Issuer":
 * `https://auth-<region>.beyondidentity.com/v1/tenants/<id>/realms/<id>/applications/<id>`.
 */
export default function BeyondIdentity<P extends BeyondIdentityProfile = BeyondIdentityProfile>(
  options: OIDCUserConfig<P> = {},
): OIDCConfig<NoInfer<P>> {
  return {
    id: 'beyondidentity',
    name: 'Beyond Identity',
    type: 'oidc',
    profile: ({ sub, email, name, preferred_username }) => ({ id: sub, email, name, image: null, preferred_username }),
    style: { brandColor: '#5077c5' },
    options,
  };
}
