import type { Foreign } from '../types.ts';
import type { OIDCConfig, OIDCUserConfig } from './oauth.ts';

/** The claims of Cloudflare Access's ID token that are read here. */
export interface CloudflareAccessProfile {
  sub: string;
  name?: string;
  email?: string;
  email_verified?: boolean;
  [claim: string]: Foreign;
}

/**
 * Cloudflare Access, part of Cloudflare One (Zero Trust).
 *
 * @see https://developers.cloudflare.com/cloudflare-one/access-controls/applications/http-apps/saas-apps/generic-oidc-saas/
 * @reviewed 2026-11-21
 * @register In Cloudflare One, "Access controls", "Applications": add a SaaS application of the kind OIDC, with the callback address
 * under "Redirect URLs", the scopes `openid`, `email` and `profile`, and the grant type "Authorization code with PKCE". Its policies
 * decide who may sign in.
 * @issuer The application's own, as shown there: `https://<team>.cloudflareaccess.com/cdn-cgi/access/sso/oidc/<client id>`.
 */
export default function CloudflareAccess<P extends CloudflareAccessProfile = CloudflareAccessProfile>(
  options: OIDCUserConfig<P> = {},
): OIDCConfig<NoInfer<P>> {
  return {
    id: 'cloudflare-access',
    name: 'Cloudflare Access',
    type: 'oidc',
    style: { brandColor: '#f38020' },
    options,
  };
}
