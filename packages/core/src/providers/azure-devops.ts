import type { Untyped } from '../types/user.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** Members of Azure DevOps' profile that the provider reads. */
export interface AzureDevOpsProfile {
  id: string;
  displayName: string;
  emailAddress: string;
  /** The picture in base64. */
  coreAttributes?: { Avatar?: { value?: { value?: string } } };
  [claim: string]: Untyped;
}

/** Maximum length of a picture in characters. A longer one does not fit into a session cookie. */
const LARGEST = 32_768;

/**
 * Azure DevOps Services.
 *
 * @see https://learn.microsoft.com/en-us/azure/devops/integrate/get-started/authentication/azure-devops-oauth
 * @see https://learn.microsoft.com/en-us/rest/api/azure/devops/profile/profiles/get
 * @reviewed 2026-11-21
 * @email not-stated
 * @register New applications cannot be registered since April 2025. Existing ones are in your Visual Studio profile.
 * @option `scope` All scopes of the application. Default: `vso.profile`.
 * @quirk Microsoft ends this kind of sign-in during 2026: use Microsoft Entra ID instead.
 * @quirk The secret ("Client Secret", not "App Secret") and the code are sent as assertions. PKCE is not
 * supported.
 * @quirk The administrator of any tenant can enter addresses, so they do not count as verified.
 */
export default function AzureDevOpsProvider<P extends AzureDevOpsProfile = AzureDevOpsProfile>(
  config: OAuthUserConfig<P> & { scope?: string | undefined } = {},
): OAuth2Config<NoInfer<P>> {
  const { scope = 'vso.profile' } = config;
  return {
    id: 'azure-devops',
    name: 'Azure DevOps',
    type: 'oauth',
    authorization: {
      url: 'https://app.vssps.visualstudio.com/oauth2/authorize',
      params: { response_type: 'Assertion', scope },
    },
    token: {
      url: 'https://app.vssps.visualstudio.com/oauth2/token',
      async request({ provider, params }) {
        const { redirectUri = provider.callbackUrl } = provider;
        const body = new URLSearchParams({
          client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
          client_assertion: provider.clientSecret ?? '',
          grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
          assertion: params['code'] ?? '',
          redirect_uri: redirectUri,
        });
        const headers = { accept: 'application/json', 'user-agent': 'latchkey' };
        const answer = await provider.fetch(String(provider.token.url), { method: 'POST', headers, body });
        if (!answer.ok) throw new Error(`Azure DevOps answered ${answer.status} for the tokens`);
        // Azure DevOps returns the token type `jwt-bearer`.
        return { tokens: { ...(await answer.json()), token_type: 'bearer' } };
      },
    },
    userinfo: {
      url: 'https://app.vssps.visualstudio.com/_apis/profile/profiles/me',
      params: { details: 'true', coreAttributes: 'Avatar', 'api-version': '6.0' },
    },
    checks: ['state'],
    emailVerification: 'never',
    profile: ({ id, displayName, emailAddress, coreAttributes }) => {
      const picture = coreAttributes?.Avatar?.value?.value;
      const fits = picture && picture.length <= LARGEST;
      const image = fits ? `data:image/jpeg;base64,${picture}` : null;
      return { id, name: displayName, email: emailAddress, image };
    },
    style: { brandColor: '#0078d7' },
    options: config,
  };
}
