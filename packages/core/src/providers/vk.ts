import { siVk as mark } from 'simple-icons';
import type { Untyped } from '../types/user.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** Members of VK's user that the provider reads. */
export interface VkProfile {
  user_id: string;
  first_name: string;
  last_name: string;
  email?: string;
  avatar?: string;
  [claim: string]: Untyped;
}

const BASE = 'https://id.vk.ru';

/**
 * VK accounts, by VK ID.
 *
 * @see https://id.vk.ru/about/business/go/docs/ru/vkid/latest/vk-id/connection/api-integration/api-description
 * @reviewed 2026-11-21
 * @email not-stated
 * @register At https://id.vk.ru/about/business/go: Create an application for the web, add the callback URL under
 * `Доверенный Redirect URL`, and allow access to the email address. Otherwise, users have no email address.
 * @quirk The sign-in at oauth.vk.com is no longer supported. VK ID uses the same user ids. Connect an application that
 * was created for oauth.vk.com to VK ID.
 * @quirk VK ID uses PKCE and does not accept a client secret.
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
      // The callback contains the `device_id`.
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
        // Also under the names of the former API.
        return { ...user, id: user.user_id, photo_100: user.avatar };
      },
    },
    checks: ['pkce', 'state'],
    numericAccountIds: true,
    profile: ({ user_id, first_name, last_name, email, avatar }) => ({
      id: String(user_id),
      name: [first_name, last_name].filter(Boolean).join(' '),
      email: email ?? null,
      image: avatar ?? null,
    }),
    style: { brandColor: '#0077ff', icon: mark.path },
    options,
  };
}

const headers = { accept: 'application/json', 'user-agent': 'latchkey' };
