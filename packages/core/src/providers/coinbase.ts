import { siCoinbase as mark } from 'simple-icons';
import type { Untyped } from '../types/user.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** Members of Coinbase's user that the provider reads. */
export interface CoinbaseProfile {
  data: { id: string; name: string | null; email?: string; avatar_url?: string };
  [claim: string]: Untyped;
}

/**
 * Coinbase.
 *
 * @see https://docs.cdp.coinbase.com/coinbase-app/oauth2-integration/reference
 * @reviewed 2026-11-21
 * @email not-stated
 * @register At https://portal.cdp.coinbase.com, "API Keys", "OAuth": Create a client with the callback URL and the
 * scopes `wallet:user:read` and `wallet:user:email`. Coinbase makes new ones for approved partners only.
 * @quirk Access tokens last for an hour; a refresh token comes with the scope `offline_access` only.
 */
export default function Coinbase<P extends CoinbaseProfile = CoinbaseProfile>(
  options: OAuthUserConfig<P> = {},
): OAuth2Config<NoInfer<P>> {
  return {
    id: 'coinbase',
    name: 'Coinbase',
    type: 'oauth',
    authorization: {
      url: 'https://login.coinbase.com/oauth2/auth',
      params: { scope: 'wallet:user:email wallet:user:read' },
    },
    token: 'https://login.coinbase.com/oauth2/token',
    userinfo: 'https://api.coinbase.com/v2/user',
    client: { token_endpoint_auth_method: 'client_secret_post' },
    profile: ({ data }) => ({
      id: data.id,
      name: data.name,
      email: data.email ?? null,
      image: data.avatar_url ?? null,
    }),
    style: { brandColor: '#0052ff', icon: mark.path },
    options,
  };
}
