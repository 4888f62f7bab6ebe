import type { Foreign } from '../types.ts';
import type { OIDCConfig, OIDCUserConfig } from './oauth.ts';

/** The members of Vipps' userinfo that are read here. */
export interface VippsProfile {
  sub: string;
  name?: string;
  email?: string;
  email_verified?: boolean;
  [claim: string]: Foreign;
}

/**
 * Vipps MobilePay.
 *
 * @see https://developer.vippsmobilepay.com/docs/APIs/login-api/
 * @reviewed 2026-11-21
 * @register At https://portal.vippsmobilepay.com, "Developer": take the client id and the client secret of your sales unit, and under "Setup
 * login" add the callback address.
 * @issuer For tests: `https://apitest.vipps.no/access-management-1.0/access/`. Default: production.
 * @quirk The way in which the client proves itself can be chosen per sales unit: leave it at `client_secret_basic`.
 */
export default function Vipps<P extends VippsProfile = VippsProfile>(
  options: OIDCUserConfig<P> = {},
): OIDCConfig<NoInfer<P>> {
  return {
    id: 'vipps',
    name: 'Vipps',
    type: 'oidc',
    issuer: 'https://api.vipps.no/access-management-1.0/access/',
    authorization: { params: { scope: 'openid name email' } },
    idToken: false,
    checks: ['pkce', 'state', 'nonce'],
    style: { brandColor: '#f05c18' },
    options,
  };
}
