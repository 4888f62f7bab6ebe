import { siZoho as mark } from 'simple-icons';
import type { Untyped } from '../types/user.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** Members of Zoho's user that the provider reads. */
export interface ZohoProfile {
  ZUID: number | string;
  First_Name?: string;
  Last_Name?: string;
  Email: string;
  [claim: string]: Untyped;
}

/**
 * Zoho.
 *
 * @see https://www.zoho.com/accounts/protocol/oauth/web-apps/authorization.html
 * @see https://www.zoho.com/accounts/protocol/oauth/multi-dc.html
 * @reviewed 2026-11-21
 * @email not-stated
 * @register At https://api-console.zoho.com: Add a client of the type "Server-based Applications" with the callback URL
 * under "Authorized Redirect URIs".
 * @quirk Each account belongs to a data center (`.com`, `.eu`, `.in`, `.com.au`, `.jp` …). By default, accounts of
 * `.com` can sign in. For another data center, for example Europe, set `authorization:
 * 'https://accounts.zoho.eu/oauth/v2/auth'`, `token: 'https://accounts.zoho.eu/oauth/v2/token'` and `userinfo: 'https://accounts.zoho.eu/oauth/user/info'`. Set a separate `id`, too.
 */
export default function Zoho<P extends ZohoProfile = ZohoProfile>(
  options: OAuthUserConfig<P> = {},
): OAuth2Config<NoInfer<P>> {
  return {
    id: 'zoho',
    name: 'Zoho',
    type: 'oauth',
    authorization: {
      url: 'https://accounts.zoho.com/oauth/v2/auth',
      params: { scope: 'AaaServer.profile.Read' },
    },
    token: 'https://accounts.zoho.com/oauth/v2/token',
    userinfo: 'https://accounts.zoho.com/oauth/user/info',
    client: { token_endpoint_auth_method: 'client_secret_post' },
    numericAccountIds: true,
    profile: ({ ZUID, First_Name, Last_Name, Email }) => ({
      id: String(ZUID),
      name: [First_Name, Last_Name].filter(Boolean).join(' '),
      email: Email,
      image: null,
    }),
    style: { brandColor: '#e42527', icon: mark.path },
    options,
  };
}
