import type { Foreign } from '../types.ts';
import type { OIDCConfig, OIDCUserConfig } from './oauth.ts';

/** The claims of Azure AD B2C's ID token that are read here. */
export interface AzureADB2CProfile {
  sub: string;
  name?: string;
  preferred_username?: string;
  /** Of user flows. */
  emails?: string[];
  /** Of custom policies. */
  email?: string;
  [claim: string]: Foreign;
}

/**
 * Azure AD B2C.
 *
 * @see https://learn.microsoft.com/en-us/azure/active-directory-b2c/openid-connect
 * @see https://learn.microsoft.com/en-us/azure/active-directory-b2c/tokens-overview
 * @reviewed 2026-11-21
 * @register In the B2C tenant at https://portal.azure.com, "App registrations": register an application and add the callback
 * address for the platform "Web". Let the user flow return "Display Name", "Email Addresses" and "User's Object ID" as claims.
 * @issuer The user flow's: `https://<tenant>.b2clogin.com/<tenant>.onmicrosoft.com/<user flow>/v2.0`, or with your own domain.
 * @quirk Microsoft sells it to nobody new since May 2025, and supports it until May 2030 at least.
 * @quirk There is an access token only when a scope asks for one (the application's own id, say); the account's is "none" else.
 */
export default function AzureADB2C<P extends AzureADB2CProfile = AzureADB2CProfile>(
  options: OIDCUserConfig<P> = {},
): OIDCConfig<NoInfer<P>> {
  return {
    id: 'azure-ad-b2c',
    name: 'Azure AD B2C',
    type: 'oidc',
    // The metadata of a user flow name the tenant, which all of its user flows share.
    tokenIssuer: (issuer) => issuer,
    token: {
      async conform(response) {
        if (!response.ok) return undefined;
        const tokens = await response.json();
        return Response.json({ ...tokens, access_token: tokens.access_token ?? 'none' });
      },
    },
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
