import { siTiktok as mark } from 'simple-icons';
import type { Untyped } from '../types/user.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** Members of TikTok's answer that the provider reads. */
export interface TiktokProfile {
  data: {
    user: { open_id: string; display_name?: string; avatar_url?: string; [claim: string]: Untyped };
  };
  [claim: string]: Untyped;
}

/**
 * TikTok.
 *
 * @see https://developers.tiktok.com/doc/login-kit-web
 * @see https://developers.tiktok.com/doc/oauth-user-access-token-management
 * @see https://developers.tiktok.com/doc/tiktok-api-v2-get-user-info
 * @reviewed 2026-11-21
 * @email none
 * @register At https://developers.tiktok.com/apps: Create an app, add the product "Login Kit" for the web with the
 * callback URL under "Redirect URI", and the scope `user.info.basic`. TikTok accepts only https. `clientId` is the
 * client key.
 * @quirk The id (`open_id`) is specific to your app. TikTok does not provide an email address.
 */
export default function TikTok<P extends TiktokProfile = TiktokProfile>(
  options: OAuthUserConfig<P> = {},
): OAuth2Config<NoInfer<P>> {
  return {
    id: 'tiktok',
    name: 'TikTok',
    type: 'oauth',
    // The vendor's name for the client id.
    authorization: {
      url: 'https://www.tiktok.com/v2/auth/authorize/',
      params: { client_key: ({ clientId }: { clientId?: string }) => clientId, scope: 'user.info.basic' },
    },
    token: {
      url: 'https://open.tiktokapis.com/v2/oauth/token/',
      async request({ provider, params, checks }) {
        const { redirectUri = provider.callbackUrl } = provider;
        const body = new URLSearchParams({
          client_key: provider.clientId,
          client_secret: provider.clientSecret ?? '',
          grant_type: 'authorization_code',
          code: params['code'] ?? '',
          redirect_uri: redirectUri,
          ...(checks.code_verifier ? { code_verifier: checks.code_verifier } : {}),
        });
        const headers = { accept: 'application/json', 'user-agent': 'latchkey' };
        const answer = await provider.fetch(String(provider.token.url), { method: 'POST', headers, body });
        if (!answer.ok) throw new Error(`TikTok answered ${answer.status} for the tokens`);
        return { tokens: await answer.json() };
      },
    },
    userinfo: {
      url: 'https://open.tiktokapis.com/v2/user/info/',
      params: { fields: 'open_id,avatar_url,display_name' },
    },
    profile: ({ data: { user } }) => ({
      id: user.open_id,
      name: user.display_name ?? null,
      email: null,
      image: user.avatar_url ?? null,
    }),
    style: { brandColor: '#000000', icon: mark.path },
    options,
  };
}
