import type { Untyped } from '../types/user.ts';
import type { OIDCConfig, OIDCUserConfig } from './oauth.ts';

/** Claims of Azure AD B2C's ID token that the provider reads. */
export interface AzureADB2CProfile {
  sub: string;
  name?: string;
  preferred_username?: string;
  /** Set by user flows. */
  emails?: string[];
  /** Set by custom policies. */
  email?: string;
  /** Only if a custom policy sets it. */
  email_verified?: boolean;
  [claim: string]: Untyped;
}

/**
 * Azure AD B2C.
 *
 * @see https://learn.microsoft.com/en-us/azure/active-directory-b2c/openid-connect
 * @see https://learn.microsoft.com/en-us/azure/active-directory-b2c/tokens-overview
 * @reviewed 2026-11-21
 * @email depends It counts as verified only with the claim `email_verified` of a custom policy, or if you set
 * `emailVerification: 'always'`.
 * @register In the B2C tenant at https://portal.azure.com, "App registrations": Register an application and add the
 * callback URL for the platform "Web". Let the user flow return "Display Name", "Email Addresses" and "User's Object
 * ID" as claims.
 * @issuer The issuer of the user flow: `https://<tenant>.b2clogin.com/<tenant>.onmicrosoft.com/<user flow>/v2.0`, or
 * the same path on your own domain.
 * @quirk Since May 2025, Microsoft does not sell Azure AD B2C to new customers. Support continues until at least May
 * 2030.
 * @quirk Azure AD B2C issues an access token only if a scope asks for it, for example the application's own id.
 * Otherwise, the account's access token is "none".
 * @quirk The address can come from another identity provider, which need not have verified it. It does not count as
 * verified, unless a custom policy sets the claim `email_verified`. If your user flows verify all addresses, set
 * `emailVerification: 'always'`.
 */
export default function AzureADB2C<P extends AzureADB2CProfile = AzureADB2CProfile>(
  options: OIDCUserConfig<P> = {},
): OIDCConfig<NoInfer<P>> {
  return {
    id: 'azure-ad-b2c',
    name: 'Azure AD B2C',
    type: 'oidc',
    // The metadata of a user flow contain the issuer of the tenant, which all of its user flows share.
    tokenIssuer: (issuer) => issuer,
    token: {
      async conform(response) {
        if (!response.ok) return undefined;
        const tokens = await response.json();
        return Response.json({ ...tokens, access_token: tokens.access_token ?? 'none' });
      },
    },
    emailVerification: ({ email_verified }) => (email_verified === undefined ? 'never' : 'claim'),
    profile: ({ sub, name, preferred_username, emails, email }) => ({
      id: sub,
      name: name ?? preferred_username ?? null,
      email: emails?.[0] ?? email ?? null,
      image: null,
    }),
    style: { brandColor: '#0072c6' },
    options,
  };
}
