import { icon } from '../icons/shopify.ts';
import type { Foreign } from '../types.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** The members of a member of the shop's staff that are read here. */
export interface ShopifyProfile {
  id: number;
  first_name?: string | null;
  last_name?: string | null;
  email: string;
  email_verified?: boolean;
  /** Does the shop belong to this user? */
  account_owner: boolean;
  [claim: string]: Foreign;
}

/**
 * Shopify: the staff of one shop, for apps that are not embedded in its admin.
 *
 * @see https://shopify.dev/docs/apps/build/authentication-authorization/access-tokens/authorization-code-grant
 * @see https://shopify.dev/docs/apps/build/authentication-authorization/access-tokens/online-access-tokens
 * @reviewed 2026-11-21
 * @register At https://dev.shopify.com/dashboard: create an app, add the callback address to its redirect URLs, and install it in the
 * shop.
 * @issuer The shop's own address: `https://<shop>.myshopify.com`.
 * @quirk A shop's customers do not sign in here: they have accounts of their own.
 * @quirk The token is one for a day, with what the app and the user both may (an "online" one). The token answer tells who it is, and
 * the app's scopes are those of its configuration.
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
    style: { brandColor: '#7ab55c', icon },
    options,
  };
}
