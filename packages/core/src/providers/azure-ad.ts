import MicrosoftEntraID, { type MicrosoftEntraIDOptions, type MicrosoftEntraIDProfile } from './microsoft-entra-id.ts';
import type { OIDCConfig } from './oauth.ts';

/** The claims of the ID token that are read here. */
export type AzureADProfile = MicrosoftEntraIDProfile;

/**
 * The older name of Microsoft Entra ID: the same, under the id `azure-ad`.
 *
 * @see https://learn.microsoft.com/en-us/entra/identity-platform/v2-protocols-oidc
 * @reviewed 2026-11-21
 * @register At https://entra.microsoft.com, "App registrations": register an application, choose which accounts it supports, and
 * add the callback address for the platform "Web". The secret is made under "Certificates & secrets".
 * @issuer Who may sign in: `https://login.microsoftonline.com/<tenant>/v2.0`, and so on as with Microsoft Entra ID. Default: everybody.
 * @quirk Options, restrictions and what is said about addresses are those of Microsoft Entra ID.
 */
export default function AzureAD<P extends AzureADProfile = AzureADProfile>(
  config: MicrosoftEntraIDOptions<P> = {},
): OIDCConfig<NoInfer<P>> {
  return { ...MicrosoftEntraID(config), id: 'azure-ad', name: 'Azure Active Directory' };
}
