import * as oauth from 'oauth4webapi';
import { limits } from '../../config/defaults.ts';
import { envName } from '../../config/env.ts';
import type { OAuthProvider } from '../../config/provider.ts';
import { AuthError } from '../../errors.ts';
import { NO_ISSUER } from './server.ts';

/**
 * Returns the client for the protocol library.
 *
 * @param now The instant of the request, against which the library checks expiry.
 * @throws {AuthError} if the provider has no client id.
 */
export function clientOf(provider: OAuthProvider, now: Date): oauth.Client {
  return {
    [oauth.clockSkew]: Math.round((now.getTime() - Date.now()) / 1000),
    [oauth.clockTolerance]: limits.idTokenSkew,
    ...(provider.client as Partial<oauth.Client>),
    client_id: clientIdOf(provider),
  };
}

/**
 * Returns the client id. A `client_id` in the option `client` wins.
 *
 * @throws {AuthError} if the provider has no client id.
 */
export function clientIdOf({ id, clientId, client }: OAuthProvider): string {
  if (clientId) return typeof client['client_id'] === 'string' ? client['client_id'] : clientId;
  throw new AuthError(
    `provider "${id}" has no client id. Set \`clientId\`, or AUTH_${envName(id)}_ID in the environment`,
  );
}

/**
 * Returns how the client authenticates at the token endpoint (RFC 6749 §2.3, RFC 7523, OpenID Connect Core §9).
 *
 * @throws {AuthError} if the method is unknown, or its secret or key is not configured.
 */
export function clientAuth(provider: OAuthProvider): oauth.ClientAuth {
  const method = provider.client.token_endpoint_auth_method;
  switch (method) {
    case undefined:
    case 'client_secret_basic':
      return basic(clientIdOf(provider), secretOf(provider));
    case 'client_secret_post':
      return oauth.ClientSecretPost(secretOf(provider));
    case 'client_secret_jwt':
      return clientSecretJwt(secretOf(provider));
    case 'private_key_jwt':
      return privateKeyJwt(provider);
    case 'none':
      return oauth.None();
    default:
      throw new AuthError(
        `provider "${provider.id}": the client authentication method "${method}" is unknown. Use client_secret_basic, client_secret_post, client_secret_jwt, private_key_jwt or none`,
      );
  }
}

function secretOf({ id, clientSecret }: OAuthProvider): string {
  if (clientSecret) return clientSecret;
  throw new AuthError(
    `provider "${id}" has no client secret. Set \`clientSecret\` (AUTH_${envName(id)}_SECRET), or for a public client \`client: { token_endpoint_auth_method: "none" }\``,
  );
}

/**
 * Id and secret are form-encoded (RFC 6749 §2.3.1), except the unreserved characters of RFC 3986 §2.3: some servers do
 * not decode those.
 */
function basic(id: string, secret: string): oauth.ClientAuth {
  const authorization = `Basic ${btoa(`${formEncode(id)}:${formEncode(secret)}`)}`;
  return (_server, _client, _body, headers) => headers.set('authorization', authorization);
}

function formEncode(value: string): string {
  return encodeURIComponent(value).replace(/%20/g, '+');
}

function clientSecretJwt(secret: string): oauth.ClientAuth {
  return withAudience((options) => oauth.ClientSecretJwt(secret, options));
}

function privateKeyJwt(provider: OAuthProvider): oauth.ClientAuth {
  const key = provider.token.clientPrivateKey;
  if (!key)
    throw new AuthError(`provider "${provider.id}": private_key_jwt needs a key. Set \`token.clientPrivateKey\``);
  return withAudience((options) => oauth.PrivateKeyJwt(key as CryptoKey | oauth.PrivateKey, options));
}

/** Sets the audience of an assertion. Some servers expect their issuer, others their token endpoint. */
function withAudience(authenticate: (options: oauth.ModifyAssertionOptions) => oauth.ClientAuth): oauth.ClientAuth {
  return (server, ...request) => {
    const names = [server.issuer, server.token_endpoint];
    const sign = authenticate({
      [oauth.modifyAssertion](_header, payload) {
        payload.aud = names.filter((name) => typeof name === 'string').filter((name) => name !== NO_ISSUER);
      },
    });
    return sign(server, ...request);
  };
}
