import type { Foreign } from '../types.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** What the RESTlet answers that you deploy; the members that are read here. */
export interface NetSuiteProfile {
  id: number | string;
  name: string;
  email: string;
  [claim: string]: Foreign;
}

/** Options of the NetSuite provider. */
export type OAuthNetSuiteOptions<P extends NetSuiteProfile = NetSuiteProfile> = OAuthUserConfig<P> & {
  /** Id of the account, `1234567` or `1234567_SB1`. */
  accountID?: string | undefined;
  /** Default: NetSuite asks who is not signed in there, and once for consent. */
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
 * @register In NetSuite, "Setup", "Integration", "Manage Integrations": create one with "Authorization Code Grant", the callback
 * address as "Redirect URI", and the scopes "RESTlets" and "REST Web Services". The feature "OAuth 2.0" must be enabled, and the
 * role of who signs in needs the permission "Log in using OAuth 2.0 Access Tokens".
 * @option `accountID` Id of the account. Required.
 * @option `userinfo` External address of a RESTlet that you deploy. To a GET request it answers who is signed in: `{ id, name,
 * email }`, from `runtime.getCurrentUser()`. Required.
 * @option `prompt` `none`, `login`, `consent` or `login consent`.
 * @option `scope` Default: `restlets rest_webservices`.
 */
export default function NetSuite<P extends NetSuiteProfile = NetSuiteProfile>(
  config: OAuthNetSuiteOptions<P> = {},
): OAuth2Config<NoInfer<P>> {
  const { accountID, prompt, scope = 'restlets rest_webservices' } = config;
  // Of a sandbox, the id is written differently in addresses.
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
    // RESTlets answer in the type of the request, which even without a body has to name one.
    userinfo: { headers: { 'content-type': 'application/json' } },
    checks: ['pkce', 'state'],
    profile: ({ id, name, email }) => ({ id: String(id), name, email, image: null }),
    style: { brandColor: '#181a1b' },
    options: config,
  };
}
