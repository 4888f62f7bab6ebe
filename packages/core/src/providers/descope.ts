import type { Foreign } from '../types.ts';
import type { OIDCConfig, OIDCUserConfig } from './oauth.ts';

/** The claims of Descope's ID token that are read here. */
export interface DescopeProfile {
  sub: string;
  name?: string;
  email?: string;
  email_verified?: boolean;
  picture?: string;
  [claim: string]: Foreign;
}

/**
 * Descope.
 *
 * @see https://docs.descope.com/customize/auth/oidc/
 * @reviewed 2026-11-21
 * @register At https://app.descope.com, "Applications": the client id is the project's id, and the secret an access key (from
 * "Access Keys"). Add the callback address to the approved redirect URLs.
 * @issuer Default: `https://api.descope.com/<clientId>`. It has to be set where the client id comes from the environment and the
 * factory is called without it (`Descope({})`).
 */
export default function Descope<P extends DescopeProfile = DescopeProfile>(
  options: OIDCUserConfig<P> = {},
): OIDCConfig<NoInfer<P>> {
  return {
    id: 'descope',
    name: 'Descope',
    type: 'oidc',
    ...(options.clientId ? { issuer: `https://api.descope.com/${options.clientId}` } : {}),
    checks: ['pkce', 'state'],
    style: { brandColor: '#1c1c23' },
    options,
  };
}
