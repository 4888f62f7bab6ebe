import type { Foreign } from '../types.ts';
import type { OIDCConfig, OIDCUserConfig } from './oauth.ts';

/** The claims of OneLogin's ID token that are read here. */
export interface OneLoginProfile {
  sub: string;
  name?: string;
  preferred_username?: string;
  email?: string;
  [claim: string]: Foreign;
}

/**
 * OneLogin.
 *
 * @see https://developers.onelogin.com/openid-connect/api/provider-config
 * @reviewed 2026-11-21
 * @register In the OneLogin administration, "Applications": add the app "OpenId Connect (OIDC)" with the callback address under
 * "Redirect URIs", and assign users to it. Id and secret are under "SSO".
 * @issuer The subdomain with the version of OpenID Connect: `https://<subdomain>.onelogin.com/oidc/2`.
 */
export default function OneLogin<P extends OneLoginProfile = OneLoginProfile>(
  options: OIDCUserConfig<P> = {},
): OIDCConfig<NoInfer<P>> {
  return {
    id: 'onelogin',
    name: 'OneLogin',
    type: 'oidc',
    style: { brandColor: '#1c1f2a' },
    options,
  };
}
