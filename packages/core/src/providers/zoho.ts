import { icon } from '../icons/zoho.ts';
import type { Foreign } from '../types.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** The members of Zoho's user that are read here. */
export interface ZohoProfile {
  ZUID: number | string;
  First_Name?: string;
  Last_Name?: string;
  Email: string;
  [claim: string]: Foreign;
}

/**
 * Zoho.
 *
 * @see https://www.zoho.com/accounts/protocol/oauth/web-apps/authorization.html
 * @see https://www.zoho.com/accounts/protocol/oauth/multi-dc.html
 * @reviewed 2026-11-21
 * @register At https://api-console.zoho.com: add a client of the type "Server-based Applications" with the callback address under
 * "Authorized Redirect URIs".
 * @quirk Accounts live in data centres (`.com`, `.eu`, `.in`, `.com.au`, `.jp` …). Those of `.com` can sign in. For another one, say of
 * Europe: `authorization: 'https://accounts.zoho.eu/oauth/v2/auth'`, `token: 'https://accounts.zoho.eu/oauth/v2/token'` and `userinfo:
 * 'https://accounts.zoho.eu/oauth/user/info'`, with an `id` of its own.
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
    profile: ({ ZUID, First_Name, Last_Name, Email }) => ({
      id: String(ZUID),
      name: [First_Name, Last_Name].filter(Boolean).join(' '),
      email: Email,
      image: null,
    }),
    style: { brandColor: '#e42527', icon },
    options,
  };
}
