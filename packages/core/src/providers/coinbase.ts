import { icon } from '../icons/coinbase.ts';
import type { Foreign } from '../types.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** The members of Coinbase's user that are read here. */
export interface CoinbaseProfile {
  data: { id: string; name: string | null; email?: string; avatar_url?: string };
  [claim: string]: Foreign;
}

/**
 * Coinbase.
 *
 * @see https://docs.cdp.coinbase.com/coinbase-app/oauth2-integration/reference
 * @reviewed 2026-11-21
 * @register At https://portal.cdp.coinbase.com, "API Keys", "OAuth": create a client with the callback address and the scopes
 * `wallet:user:read` and `wallet:user:email`. Coinbase makes new ones for approved partners only.
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
    style: { brandColor: '#0052ff', icon },
    options,
  };
}
