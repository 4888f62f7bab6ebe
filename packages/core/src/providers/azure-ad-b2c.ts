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
  /** About `email`. Only if a custom policy sets it. */
  email_verified?: boolean;
  [claim: string]: Untyped;
}

/**
 * Azure AD B2C.
 *
 * @see https://learn.microsoft.com/en-us/azure/active-directory-b2c/openid-connect
 * @see https://learn.microsoft.com/en-us/azure/active-directory-b2c/tokens-overview
 * @reviewed 2026-11-21
 * @email depends It counts as verified only with the claims `email` and `email_verified` of a custom policy, or if you
 * set `emailVerification: 'always'`.
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
 * verified, unless it is the claim `email` of a custom policy that also sets `email_verified`. If your user flows
 * verify all addresses, set `emailVerification: 'always'`.
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
    // `email_verified` is about `email` (OpenID Connect Core §5.1). The user may have written an address in `emails`.
    emailVerification: (profile) =>
      profile.email_verified !== undefined && addressOf(profile) === profile.email ? 'claim' : 'never',
    profile: (profile) => ({
      id: profile.sub,
      name: profile.name ?? profile.preferred_username ?? null,
      email: addressOf(profile) ?? null,
      image: null,
    }),
    style: { brandColor: '#0072c6' },
    options,
  };
}

function addressOf({ emails, email }: AzureADB2CProfile): string | undefined {
  return emails?.[0] ?? email;
}
