import { siShopify as mark } from 'simple-icons';
import type { Untyped } from '../types/user.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** Members of a member of the shop's staff that the provider reads. */
export interface ShopifyProfile {
  id: number;
  first_name?: string | null;
  last_name?: string | null;
  email: string;
  email_verified?: boolean;
  /** Whether the user owns the shop. */
  account_owner: boolean;
  [claim: string]: Untyped;
}

/**
 * Shopify, with the staff of one shop as users. For apps that are not embedded in the Shopify admin.
 *
 * @see https://shopify.dev/docs/apps/build/authentication-authorization/access-tokens/authorization-code-grant
 * @see https://shopify.dev/docs/apps/build/authentication-authorization/access-tokens/online-access-tokens
 * @reviewed 2026-11-21
 * @email stated
 * @register At https://dev.shopify.com/dashboard: Create an app, add the callback URL to its redirect URLs, and install
 * it in the shop.
 * @issuer The URL of the shop: `https://<shop>.myshopify.com`.
 * @quirk Customers of a shop cannot sign in: they have separate accounts.
 * @quirk The access token is an "online" token. It is valid for a day, with the permissions that both the app and the
 * user have. The token response contains the user. The scopes in the app's configuration apply.
 */
export default function Shopify<P extends ShopifyProfile = ShopifyProfile>(
  options: OAuthUserConfig<P> = {},
): OAuth2Config<NoInfer<P>> {
  return {
    id: 'shopify',
    name: 'Shopify',
    type: 'oauth',
    authorization: { url: './admin/oauth/authorize', params: { 'grant_options[]': 'per-user', scope: '' } },
    token: {
      url: './admin/oauth/access_token',
      conform: async (answer) =>
        answer.ok ? Response.json({ ...(await answer.json()), token_type: 'bearer' }) : undefined,
    },
    userinfo: {
      url: './admin/oauth/access_token',
      request: ({ tokens }) => tokens['associated_user'],
    },
    checks: ['state'],
    client: { token_endpoint_auth_method: 'client_secret_post' },
    profile: ({ id, first_name, last_name, email }) => ({
      id: String(id),
      name: [first_name, last_name].filter(Boolean).join(' ') || null,
      email,
      image: null,
    }),
    style: { brandColor: '#7ab55c', icon: mark.path },
    options,
  };
}
