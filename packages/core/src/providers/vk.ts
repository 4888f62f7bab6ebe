import { icon } from '../icons/vk.ts';
import type { Foreign } from '../types.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** The members of VK's user that are read here. */
export interface VkProfile {
  user_id: string;
  first_name: string;
  last_name: string;
  email?: string;
  avatar?: string;
  [claim: string]: Foreign;
}

const BASE = 'https://id.vk.ru';

/**
 * VK, by VK ID.
 *
 * @see https://id.vk.ru/about/business/go/docs/ru/vkid/latest/vk-id/connection/api-integration/api-description
 * @reviewed 2026-11-21
 * @register At https://id.vk.ru/about/business/go: create an application for the web, add the callback address under "Доверенный Redirect
 * URL", and allow access to the address. Without that, visitors are signed in without one.
 * @quirk The sign-in at oauth.vk.com is no longer supported. VK ID knows people by the same ids; an application made for the former has
 * to be connected to VK ID.
 * @quirk VK ID relies on PKCE and takes no client secret.
 */
export default function VK<P extends VkProfile = VkProfile>(
  options: OAuthUserConfig<P> = {},
): OAuth2Config<NoInfer<P>> {
  return {
    id: 'vk',
    name: 'VK',
    type: 'oauth',
    authorization: { url: `${BASE}/authorize`, params: { scope: 'email' } },
    token: {
      url: `${BASE}/oauth2/auth`,
      // The callback says which device it is.
      async request({ provider, params, checks }) {
        const { redirectUri = provider.callbackUrl } = provider;
        const body = new URLSearchParams({
          grant_type: 'authorization_code',
          code: params['code'] ?? '',
          code_verifier: checks.code_verifier ?? '',
          client_id: provider.clientId,
          device_id: params['device_id'] ?? '',
          redirect_uri: redirectUri,
          state: params['state'] ?? '',
        });
        const answer = await provider.fetch(`${BASE}/oauth2/auth`, { method: 'POST', headers, body });
        if (!answer.ok) throw new Error(`VK answered ${answer.status} for the tokens`);
        return { tokens: await answer.json() };
      },
    },
    userinfo: {
      async request({ tokens, provider }) {
        const body = new URLSearchParams({
          client_id: provider.clientId,
          access_token: String(tokens.access_token),
        });
        const answer = await provider.fetch(`${BASE}/oauth2/user_info`, { method: 'POST', headers, body });
        const { user } = answer.ok ? await answer.json() : { user: undefined };
        if (!user) throw new Error(`VK answered ${answer.status} without a user`);
        // Under the names of the API that used to be asked, too.
        return { ...user, id: user.user_id, photo_100: user.avatar };
      },
    },
    checks: ['pkce', 'state'],
    profile: ({ user_id, first_name, last_name, email, avatar }) => ({
      id: String(user_id),
      name: [first_name, last_name].filter(Boolean).join(' '),
      email: email ?? null,
      image: avatar ?? null,
    }),
    style: { brandColor: '#0077ff', icon },
    options,
  };
}

const headers = { accept: 'application/json', 'user-agent': 'latchkey' };
