import { type OIDCConfig, type OIDCUserConfig, type OpenIDProfile, openIDProvider } from './oauth.ts';

/** The members of Salesforce's userinfo; `sub` is a URL: `https://login.salesforce.com/id/<organization>/<user>`. */
export interface SalesforceProfile extends OpenIDProfile {}

/**
 * Salesforce.
 *
 * @see https://help.salesforce.com/s/articleView?id=xcloud.remoteaccess_oauth_web_server_flow.htm
 * @see https://help.salesforce.com/s/articleView?id=xcloud.remoteaccess_using_userinfo_endpoint.htm
 * @reviewed 2026-11-21
 * @email stated
 * @register In Setup, "External Client App Manager": Create an app and turn OAuth on. Enter the callback URL as
 * "Callback URL", and choose the scopes "Access the identity URL service" and "Access unique user identifiers".
 * `clientId` is the consumer key, and `clientSecret` is the consumer secret. Salesforce accepts http for localhost
 * only.
 * @issuer The issuer decides who may sign in. `https://<domain>.my.salesforce.com`: users of one organization.
 * `https://test.salesforce.com`: users of sandboxes. `https://login.salesforce.com` (the default): users of any
 * organization.
 */
export default function Salesforce<P extends SalesforceProfile = SalesforceProfile>(
  options: OIDCUserConfig<P> = {},
): OIDCConfig<NoInfer<P>> {
  return openIDProvider('salesforce', 'Salesforce', options, {
    issuer: 'https://login.salesforce.com',
    idToken: false,
    checks: ['pkce', 'state', 'nonce'],
    style: { brandColor: '#00a1e0' },
  });
}
