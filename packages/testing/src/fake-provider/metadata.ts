import type { FakeProviderSettings } from './options.ts';

/** The discovery document (OpenID Connect Discovery §3, RFC 8414 §2). Pure. */
export function metadataOf(settings: FakeProviderSettings): Record<string, unknown> {
  const { issuer, endpoints, oidc, issParameter, signingAlgorithm, signedUserinfo } = settings;
  return {
    issuer,
    authorization_endpoint: endpoints.authorization,
    token_endpoint: endpoints.token,
    userinfo_endpoint: endpoints.userinfo,
    ...(oidc ? { jwks_uri: endpoints.jwks } : {}),
    response_types_supported: ['code'],
    response_modes_supported: ['query', 'form_post'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    subject_types_supported: ['public'],
    scopes_supported: ['openid', 'profile', 'email', 'address', 'phone', 'offline_access'],
    id_token_signing_alg_values_supported: [signingAlgorithm],
    ...(signedUserinfo ? { userinfo_signing_alg_values_supported: [signingAlgorithm] } : {}),
    token_endpoint_auth_methods_supported: [
      'client_secret_basic',
      'client_secret_post',
      'client_secret_jwt',
      'private_key_jwt',
      'none',
    ],
    token_endpoint_auth_signing_alg_values_supported: ['HS256', 'RS256', 'ES256', 'EdDSA'],
    code_challenge_methods_supported: ['S256', 'plain'],
    authorization_response_iss_parameter_supported: issParameter,
  };
}
