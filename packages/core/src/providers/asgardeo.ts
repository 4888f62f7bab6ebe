import type { Foreign } from '../types.ts';
import type { OIDCConfig, OIDCUserConfig } from './oauth.ts';

/** The claims of Asgardeo's ID token that are read here. */
export interface AsgardeoProfile {
  sub: string;
  name?: string;
  email?: string;
  picture?: string;
  [claim: string]: Foreign;
}

/**
 * Asgardeo, and WSO2 Identity Server.
 *
 * @see https://wso2.com/asgardeo/docs/guides/authentication/oidc/
 * @see https://wso2.com/asgardeo/docs/guides/authentication/oidc/discover-oidc-configs/
 * @reviewed 2026-11-21
 * @register At https://console.asgardeo.io, "Applications": register a "Traditional Web Application" for OpenID Connect, and add
 * the callback address to its "Authorized redirect URLs". Which claims come with the ID token is chosen under "User Attributes".
 * @issuer `https://api.asgardeo.io/t/<organization>/oauth2/token`: with the path of the token endpoint, as the metadata say it.
 * @quirk There is no name where only its parts are among the attributes: add "Full Name".
 */
export default function Asgardeo<P extends AsgardeoProfile = AsgardeoProfile>(
  options: OIDCUserConfig<P> = {},
): OIDCConfig<NoInfer<P>> {
  return {
    id: 'asgardeo',
    name: 'Asgardeo',
    type: 'oidc',
    style: { brandColor: '#000000' },
    options,
  };
}
