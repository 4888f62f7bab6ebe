import * as oauth from 'oauth4webapi';
import { envName } from '../../config/env-name.ts';
import type { OAuthProvider } from '../../config/provider.ts';
import { AuthError } from '../../errors.ts';
import { clientIdOf } from './client.ts';
import { NO_ISSUER } from './server.ts';

/** How the client authenticates at the token endpoint (RFC 6749 §2.3, RFC 7523, OpenID Connect Core §9). */
export function clientAuth(provider: OAuthProvider): oauth.ClientAuth {
  const known = made.get(provider) ?? makeClientAuth(provider);
  made.set(provider, known);
  return known;
}

const made = new WeakMap<OAuthProvider, oauth.ClientAuth>();

function makeClientAuth(provider: OAuthProvider): oauth.ClientAuth {
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

/** Form-encoded id and secret (RFC 6749 §2.3.1). The marks of RFC 3986 §2.3 stay: some servers do not decode them. */
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

/** Says in the assertion whom it is for. Servers differ in which they expect: their issuer, or their token endpoint. */
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
