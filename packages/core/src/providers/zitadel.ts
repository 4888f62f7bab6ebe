import type { Foreign } from '../types.ts';
import type { OIDCConfig, OIDCUserConfig } from './oauth.ts';

/** The claims of ZITADEL's ID token that are read here. */
export interface ZitadelProfile {
  sub: string;
  name?: string;
  preferred_username?: string;
  email?: string;
  email_verified?: boolean;
  picture?: string;
  [claim: string]: Foreign;
}

/**
 * ZITADEL.
 *
 * @see https://zitadel.com/docs/guides/integrate/login/oidc/login-users
 * @reviewed 2026-11-21
 * @register In the console, in a project: create an application of the type "Web" with the authentication method "Code" (or "Basic") and
 * the callback address under "Redirect URIs". Under "Token Settings", switch on "User Info inside ID Token": without it there is neither
 * a name nor an address.
 * @issuer The instance's domain: `https://<instance>.<region>.zitadel.cloud`, or one's own.
 */
export default function ZITADEL<P extends ZitadelProfile = ZitadelProfile>(
  options: OIDCUserConfig<P> = {},
): OIDCConfig<NoInfer<P>> {
  return {
    id: 'zitadel',
    name: 'ZITADEL',
    type: 'oidc',
    style: { brandColor: '#000000' },
    options,
  };
}
