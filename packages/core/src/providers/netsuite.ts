import type { Untyped } from '../types/user.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** Members of the response of your RESTlet that the provider reads. */
export interface NetSuiteProfile {
  id: number | string;
  name: string;
  email: string;
  [claim: string]: Untyped;
}

/** Options of the NetSuite provider. */
export type OAuthNetSuiteOptions<P extends NetSuiteProfile = NetSuiteProfile> = OAuthUserConfig<P> & {
  /** Id of the account, `1234567` or `1234567_SB1`. */
  accountID?: string | undefined;
  /** Default: NetSuite asks for a sign-in if necessary, and for consent once. */
  prompt?: 'none' | 'login' | 'consent' | 'login consent' | (string & {}) | undefined;
  /** Default: `restlets rest_webservices`. */
  scope?: string | undefined;
};

/**
 * NetSuite.
 *
 * @see https://docs.oracle.com/en/cloud/saas/netsuite/ns-online-help/section_158074210415.html
 * @see https://docs.oracle.com/en/cloud/saas/netsuite/ns-online-help/section_4628875570.html
 * @reviewed 2026-11-21
 * @email not-stated
 * @register In NetSuite, "Setup", "Integration", "Manage Integrations": Create an integration with "Authorization Code
 * Grant" and the scopes "RESTlets" and "REST Web Services". Enter the callback URL as "Redirect URI". The feature
 * "OAuth 2.0" must be enabled, and the user's role needs the permission `Log in using OAuth 2.0 Access Tokens`.
 * @option `accountID` Id of the account. Required.
 * @option `userinfo` External URL of a RESTlet that you deploy. It responds to a GET request with the signed-in user,
 * `{ id, name, email }`, from `runtime.getCurrentUser()`. Required.
 * @option `prompt` `none`, `login`, `consent` or `login consent`.
 * @option `scope` Default: `restlets rest_webservices`.
 */
export default function NetSuite<P extends NetSuiteProfile = NetSuiteProfile>(
  config: OAuthNetSuiteOptions<P> = {},
): OAuth2Config<NoInfer<P>> {
  const { accountID, prompt, scope = 'restlets rest_webservices' } = config;
  // Host names contain the id of a sandbox in a different form.
  const account = accountID?.replaceAll('_', '-');
  return {
    id: 'netsuite',
    name: 'NetSuite',
    type: 'oauth',
    authorization: {
      url: account && `https://${account}.app.netsuite.com/app/login/oauth2/authorize.nl`,
      params: { scope, ...(prompt && { prompt }) },
    },
    token: {
      url: account && `https://${account}.suitetalk.api.netsuite.com/services/rest/auth/oauth2/v1/token`,
    },
    // RESTlets respond in the content type of the request, which must be set even without a body.
    userinfo: { headers: { 'content-type': 'application/json' } },
    checks: ['pkce', 'state'],
    profile: ({ id, name, email }) => ({ id: String(id), name, email, image: null }),
    style: { brandColor: '#181a1b' },
    options: config,
  };
}
