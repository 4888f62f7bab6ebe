import type { Untyped } from '../types/user.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** Members of Amazon's customer profile that the provider reads. */
export interface AmazonProfile {
  /** `amzn1.account.…`, which is the same for all applications of one developer account. */
  user_id: string;
  name: string;
  email: string;
  [claim: string]: Untyped;
}

/** Options of the Amazon provider. */
export type AmazonOptions<P extends AmazonProfile = AmazonProfile> = OAuthUserConfig<P> & {
  /** Region of most of the accounts: North America, Europe or Far East. Default: `NA`. */
  region?: 'NA' | 'EU' | 'FE' | undefined;
};

const regions = {
  NA: { site: 'https://www.amazon.com', api: 'https://api.amazon.com' },
  EU: { site: 'https://eu.account.amazon.com', api: 'https://api.amazon.co.uk' },
  FE: { site: 'https://apac.account.amazon.com', api: 'https://api.amazon.co.jp' },
} as const;

/**
 * Amazon ("Login with Amazon").
 *
 * @see https://developer.amazon.com/docs/login-with-amazon/authorization-code-grant.html
 * @see https://developer.amazon.com/docs/login-with-amazon/customer-profile.html
 * @reviewed 2026-11-21
 * @email not-stated
 * @register At https://developer.amazon.com/loginwithamazon/console/site/lwa/overview.html: Create a security profile,
 * and under its "Web Settings" add the callback URL to "Allowed Return URLs".
 * @option `region` Region of most of the accounts: `NA` (North America, default), `EU` (Europe) or `FE` (Far East).
 */
export default function Amazon<P extends AmazonProfile = AmazonProfile>(
  config: AmazonOptions<P> = {},
): OAuth2Config<NoInfer<P>> {
  const { region = 'NA', ...options } = config;
  const { site, api } = regions[region];
  return {
    id: 'amazon',
    name: 'Amazon',
    type: 'oauth',
    authorization: { url: `${site}/ap/oa`, params: { scope: 'profile' } },
    token: `${api}/auth/o2/token`,
    userinfo: `${api}/user/profile`,
    profile: ({ user_id, name, email }) => ({ id: user_id, name: name ?? null, email: email ?? null, image: null }),
    style: { brandColor: '#ff9900' },
    options,
  };
}
