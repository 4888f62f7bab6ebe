import { icon } from '../icons/paypal.ts';
import type { Foreign } from '../types.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** The members of PayPal's user that are read here. */
export interface PayPalProfile {
  /** An address at PayPal that stands for the user, for this application alone. */
  user_id: string;
  name?: string;
  email?: string;
  /** Now and then a text. */
  email_verified?: boolean | 'true' | 'false';
  picture?: string;
  [claim: string]: Foreign;
}

/** Options of the PayPal provider. */
export type PayPalOptions<P extends PayPalProfile = PayPalProfile> = OAuthUserConfig<P> & {
  /** Asks PayPal's sandbox, whose apps and accounts are others. Default: `false`. */
  sandbox?: boolean | undefined;
};

/**
 * PayPal ("Log in with PayPal").
 *
 * @see https://developer.paypal.com/docs/log-in-with-paypal
 * @see https://developer.paypal.com/api/identity/v1/userinfo-get/
 * @reviewed 2026-11-21
 * @register At https://developer.paypal.com/dashboard/applications: create an app, turn "Log in with PayPal" on, enter the callback
 * address as return URL, and choose full name and email under its advanced settings. Live apps have to be reviewed by PayPal.
 * @option `sandbox` Asks PayPal's sandbox, whose apps and accounts are others.
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
    // It documents no code challenge.
    checks: ['state'],
    profile: ({ user_id, name, email, picture }) => ({
      id: user_id,
      name: name ?? null,
      email: email ?? null,
      image: picture ?? null,
    }),
    style: { brandColor: '#002991', icon },
    options,
  };
}
