import { customFetch } from '@latchkey/core';
import type { OAuth2Config, OIDCConfig } from '@latchkey/core/providers/oauth';
import type { Profile } from '@latchkey/core/types';
import type { FakeProviderSettings } from './options.ts';

/** The provider as an application with OpenID Connect configures it: found by its issuer. */
export function asOidc(
  { issuer, clients, signingAlgorithm }: FakeProviderSettings,
  fetch: typeof globalThis.fetch,
  own: Partial<OIDCConfig<Profile>>,
): OIDCConfig<Profile> {
  const client = {
    ...(clients[0]?.token_endpoint_auth_method && {
      token_endpoint_auth_method: clients[0].token_endpoint_auth_method,
    }),
    ...(signingAlgorithm === 'HS256' && { id_token_signed_response_alg: signingAlgorithm }),
  };
  return {
    id: 'fake',
    name: 'Fake provider',
    type: 'oidc',
    issuer,
    clientId: clients[0]?.client_id,
    clientSecret: clients[0]?.client_secret,
    ...(Object.keys(client).length > 0 && { client }),
    [customFetch]: fetch,
    ...own,
  };
}

/** The provider as an application with plain OAuth 2 configures it: by its endpoints, without an issuer. */
export function asOAuth2(
  { clients, endpoints }: FakeProviderSettings,
  fetch: typeof globalThis.fetch,
  own: Partial<OAuth2Config<Profile>>,
): OAuth2Config<Profile> {
  const method = clients[0]?.token_endpoint_auth_method;
  return {
    id: 'fake',
    name: 'Fake provider',
    type: 'oauth',
    authorization: { url: endpoints.authorization, params: { scope: 'profile email' } },
    token: endpoints.token,
    userinfo: endpoints.userinfo,
    clientId: clients[0]?.client_id,
    clientSecret: clients[0]?.client_secret,
    ...(method && { client: { token_endpoint_auth_method: method } }),
    [customFetch]: fetch,
    ...own,
  };
}
