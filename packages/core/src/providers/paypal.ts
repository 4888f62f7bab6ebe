import { siPaypal as mark } from 'simple-icons';
import type { Untyped } from '../types/user.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** Members of PayPal's user that the provider reads. */
export interface PayPalProfile {
  /** URL that identifies the user, specific to this application. */
  user_id: string;
  name?: string;
  email?: string;
  /** PayPal sometimes sends a string. */
  email_verified?: boolean | 'true' | 'false';
  picture?: string;
  [claim: string]: Untyped;
}

/** Options of the PayPal provider. */
export type PayPalOptions<P extends PayPalProfile = PayPalProfile> = OAuthUserConfig<P> & {
  /** `true`: use PayPal's sandbox, which has separate apps and accounts. Default: `false`. */
  sandbox?: boolean | undefined;
};

/**
 * PayPal (`Log in with PayPal`).
 *
 * @see https://developer.paypal.com/docs/log-in-with-paypal
 * @see https://developer.paypal.com/api/identity/v1/userinfo-get/
 * @reviewed 2026-11-21
 * @email stated
 * @register At https://developer.paypal.com/dashboard/applications: Create an app and turn `Log in with PayPal` on.
 * Enter the callback URL as return URL, and choose full name and email under the advanced settings. PayPal reviews live
 * apps.
 * @option `sandbox` `true`: use PayPal's sandbox, which has separate apps and accounts. Default: `false`.
 */
export default function PayPal<P extends PayPalProfile = PayPalProfile>(
  config: PayPalOptions<P> = {},
): OAuth2Config<NoInfer<P>> {
  const { sandbox, ...options } = config;
  const site = sandbox ? 'https://www.sandbox.paypal.com' : 'https://www.paypal.com';
  const api = sandbox ? 'https://api-m.sandbox.paypal.com' : 'https://api-m.paypal.com';
  return {
    id: 'paypal',
    name: 'PayPal',
    type: 'oauth',
    authorization: { url: `${site}/signin/authorize`, params: { scope: 'openid profile email' } },
    token: `${api}/v1/oauth2/token`,
    userinfo: { url: `${api}/v1/identity/openidconnect/userinfo`, params: { schema: 'openid' } },
    // PayPal does not document PKCE.
    checks: ['state'],
    profile: ({ user_id, name, email, picture }) => ({
      id: user_id,
      name: name ?? null,
      email: email ?? null,
      image: picture ?? null,
    }),
    style: { brandColor: '#002991', icon: mark.path },
    options,
  };
}
