import { siPatreon as mark } from 'simple-icons';
import type { Untyped } from '../types/user.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** Members of Patreon's user (a JSON:API document) that the provider reads. */
export interface PatreonProfile {
  data: {
    id: string;
    attributes: {
      full_name: string;
      email: string | null;
      is_email_verified?: boolean;
      image_url: string;
      [claim: string]: Untyped;
    };
    [claim: string]: Untyped;
  };
  [claim: string]: Untyped;
}

/**
 * Patreon.
 *
 * @see https://docs.patreon.com/#oauth
 * @see https://docs.patreon.com/#get-api-oauth2-v2-identity
 * @reviewed 2026-11-21
 * @email stated
 * @register At https://www.patreon.com/portal/registration/register-clients: Create a client of API version 2 with the
 * callback URL under "Redirect URIs".
 */
export default function Patreon<P extends PatreonProfile = PatreonProfile>(
  options: OAuthUserConfig<P> = {},
): OAuth2Config<NoInfer<P>> {
  return {
    id: 'patreon',
    name: 'Patreon',
    type: 'oauth',
    authorization: {
      url: 'https://www.patreon.com/oauth2/authorize',
      params: { scope: 'identity identity[email]' },
    },
    token: 'https://www.patreon.com/api/oauth2/token',
    // Version 2 of the API returns only the requested fields.
    userinfo: {
      url: 'https://www.patreon.com/api/oauth2/v2/identity',
      params: { 'fields[user]': 'email,full_name,image_url,is_email_verified' },
    },
    client: { token_endpoint_auth_method: 'client_secret_post' },
    conformProfile: (user) => ({ ...user, email_verified: user.data?.attributes?.is_email_verified }),
    profile: ({ data: { id, attributes } }) => ({
      id,
      name: attributes.full_name,
      email: attributes.email ?? null,
      image: attributes.image_url,
    }),
    style: { brandColor: '#e85b46', icon: mark.path },
    options,
  };
}
