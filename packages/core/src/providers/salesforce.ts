import type { Foreign } from '../types.ts';
import type { OIDCConfig, OIDCUserConfig } from './oauth.ts';

/** The members of Salesforce's userinfo that are read here. */
export interface SalesforceProfile {
  /** An address: `https://login.salesforce.com/id/<organization>/<user>`. */
  sub: string;
  name?: string;
  nickname?: string;
  email?: string;
  email_verified?: boolean;
  picture?: string;
  [claim: string]: Foreign;
}

/**
 * Salesforce.
 *
 * @see https://help.salesforce.com/s/articleView?id=xcloud.remoteaccess_oauth_web_server_flow.htm
 * @see https://help.salesforce.com/s/articleView?id=xcloud.remoteaccess_using_userinfo_endpoint.htm
 * @reviewed 2026-11-21
 * @register In Setup, "External Client App Manager": create an app with OAuth on, the callback address as "Callback URL", and the scopes
 * "Access the identity URL service" and "Access unique user identifiers". `clientId` is the consumer key, `clientSecret` the
 * consumer secret. Salesforce takes http for localhost only.
 * @issuer Who may sign in: `https://<domain>.my.salesforce.com` the users of one organization, `https://test.salesforce.com` those of
 * sandboxes. Default: `https://login.salesforce.com`, those of any organization.
 */
export default function Salesforce<P extends SalesforceProfile = SalesforceProfile>(
  options: OIDCUserConfig<P> = {},
): OIDCConfig<NoInfer<P>> {
  return {
    id: 'salesforce',
    name: 'Salesforce',
    type: 'oidc',
    issuer: 'https://login.salesforce.com',
    idToken: false,
    checks: ['pkce', 'state', 'nonce'],
    style: { brandColor: '#00a1e0' },
    options,
  };
}
