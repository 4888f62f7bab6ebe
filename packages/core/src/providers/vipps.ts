import { type OIDCConfig, type OIDCUserConfig, type OpenIDProfile, openIDProvider } from './oauth.ts';

/** The members of Vipps' userinfo. */
export interface VippsProfile extends OpenIDProfile {}

/**
 * Vipps MobilePay.
 *
 * @see https://developer.vippsmobilepay.com/docs/APIs/login-api/
 * @reviewed 2026-11-21
 * @email stated
 * @register At https://portal.vippsmobilepay.com, "Developer": Copy the client id and the client secret of your sales
 * unit. Add the callback URL under "Setup login".
 * @issuer For tests: `https://apitest.vipps.no/access-management-1.0/access/`. Default: production.
 * @quirk Each sales unit has an authentication method for the client: leave it at `client_secret_basic`.
 */
export default function Vipps<P extends VippsProfile = VippsProfile>(
  options: OIDCUserConfig<P> = {},
): OIDCConfig<NoInfer<P>> {
  return openIDProvider('vipps', 'Vipps', options, {
    issuer: 'https://api.vipps.no/access-management-1.0/access/',
    authorization: { params: { scope: 'openid name email' } },
    idToken: false,
    checks: ['pkce', 'state', 'nonce'],
    style: { brandColor: '#f05c18' },
  });
}
