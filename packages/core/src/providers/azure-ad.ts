import MicrosoftEntraID, { type MicrosoftEntraIDOptions, type MicrosoftEntraIDProfile } from './microsoft-entra-id.ts';
import type { OIDCConfig } from './oauth.ts';

/** Claims of the ID token that the provider reads. */
export type AzureADProfile = MicrosoftEntraIDProfile;

/**
 * The former name of Microsoft Entra ID: the same provider under the id `azure-ad`.
 *
 * @see https://learn.microsoft.com/en-us/entra/identity-platform/v2-protocols-oidc
 * @reviewed 2026-11-21
 * @email depends As for Microsoft Entra ID.
 * @register At https://entra.microsoft.com, "App registrations": Register an application, choose which accounts it
 * supports, and add the callback URL for the platform "Web". Create the secret under "Certificates & secrets".
 * @issuer `https://login.microsoftonline.com/<tenant>/v2.0` for one tenant; for other values, see Microsoft Entra ID.
 * Default: all accounts.
 * @quirk The options, the restrictions and the notes on addresses of Microsoft Entra ID apply.
 */
export default function AzureAD<P extends AzureADProfile = AzureADProfile>(
  config: MicrosoftEntraIDOptions<P> = {},
): OIDCConfig<NoInfer<P>> {
  return { ...MicrosoftEntraID(config), id: 'azure-ad', name: 'Azure Active Directory' };
}
