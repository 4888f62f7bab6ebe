import { icon } from '../icons/okta.ts';
import type { Foreign } from '../types.ts';
import type { OIDCConfig, OIDCUserConfig } from './oauth.ts';

/** The claims of Okta's ID token that are read here. */
export interface OktaProfile {
  sub: string;
  name: string;
  preferred_username: string;
  email: string;
  email_verified?: boolean;
  picture?: string;
  [claim: string]: Foreign;
}

/**
 * Okta.
 *
 * @see https://developer.okta.com/docs/guides/implement-grant-type/authcode/main/
 * @see https://developer.okta.com/docs/concepts/auth-servers/
 * @reviewed 2026-11-21
 * @register In the Okta admin console, "Applications", "Create App Integration": choose "OIDC" and "Web Application", and add the
 * callback address to its "Sign-in redirect URIs".
 * @issuer The authorization server's: `https://<org>.okta.com` for the organization's own, or
 * `https://<org>.okta.com/oauth2/default` for a custom one.
 */
export default function Okta<P extends OktaProfile = OktaProfile>(
  options: OIDCUserConfig<P> = {},
): OIDCConfig<NoInfer<P>> {
  return {
    id: 'okta',
    name: 'Okta',
    type: 'oidc',
    checks: ['pkce', 'state'],
    style: { brandColor: '#007dc1', icon },
    options,
  };
}
