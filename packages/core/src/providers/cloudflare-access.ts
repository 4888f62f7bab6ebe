import { type OIDCConfig, type OIDCUserConfig, type OpenIDProfile, openIDProvider } from './oauth.ts';

/** The claims of Cloudflare Access's ID token. */
export interface CloudflareAccessProfile extends OpenIDProfile {}

/**
 * Cloudflare Access, part of Cloudflare One (Zero Trust).
 *
 * @see
 * https://developers.cloudflare.com/cloudflare-one/access-controls/applications/http-apps/saas-apps/generic-oidc-saas/
 * @reviewed 2026-11-21
 * @email not-stated
 * @register In Cloudflare One, "Access controls", "Applications": Add a SaaS application of the kind OIDC. Enter the
 * callback URL under "Redirect URLs", and choose the scopes `openid`, `email` and `profile` and the grant type
 * "Authorization code with PKCE". The application's policies decide who may sign in.
 * @issuer The issuer shown for the application: `https://<team>.cloudflareaccess.com/cdn-cgi/access/sso/oidc/<client
 * id>`.
 */
export default function CloudflareAccess<P extends CloudflareAccessProfile = CloudflareAccessProfile>(
  options: OIDCUserConfig<P> = {},
): OIDCConfig<NoInfer<P>> {
  return openIDProvider('cloudflare-access', 'Cloudflare Access', options, {
    style: { brandColor: '#f38020' },
  });
}
