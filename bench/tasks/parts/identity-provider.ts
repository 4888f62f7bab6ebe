import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { claims } from '../../visitor.ts';

/*
 * A provider in the contender's process. It answers with prepared texts, so that only the library is measured.
 * Signatures are real.
 */

export const issuer = 'https://idp.example.com';
export const clientId = 'client-id';
export const clientSecret = 'client-secret';
export const code = 'SplxlOBeZQQYbYS6WxSbIA';
export const accessToken: string = createHash('sha256').update('an access token').digest('base64url');

export const metadata = {
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  userinfo_endpoint: `${issuer}/userinfo`,
  jwks_uri: `${issuer}/keys`,
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256'],
  code_challenge_methods_supported: ['S256'],
};

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Returns the provider's `fetch`. The ID token is signed once, by this call. */
export function identityProvider(): typeof fetch {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const now = Math.floor(Date.now() / 1000);
  const { name, email, picture, sub } = claims;
  const at_hash = createHash('sha256').update(accessToken).digest().subarray(0, 16).toString('base64url');
  const payload = {
    iss: issuer,
    aud: clientId,
    iat: now,
    exp: now + 3600,
    at_hash,
    sub,
    name,
    email,
    email_verified: true,
    picture,
  };
  const head = `${encoded({ alg: 'RS256', typ: 'JWT', kid: 'key-1' })}.${encoded(payload)}`;
  const idToken = `${head}.${sign('sha256', Buffer.from(head), privateKey).toString('base64url')}`;
  const key = { ...publicKey.export({ format: 'jwk' }), kid: 'key-1', alg: 'RS256', use: 'sig' };
  const tokens = {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: 3600,
    scope: 'openid profile email',
    id_token: idToken,
  };
  const texts = new Map<string, string>([
    [`${issuer}/.well-known/openid-configuration`, JSON.stringify(metadata)],
    [metadata.token_endpoint, JSON.stringify(tokens)],
    [metadata.jwks_uri, JSON.stringify({ keys: [key] })],
  ]);
  return async (input) => {
    const text = texts.get(input instanceof Request ? input.url : String(input));
    if (text === undefined) return new Response(null, { status: 404 });
    return new Response(text, { headers: { 'content-type': 'application/json' } });
  };
}

/** The provider in a configuration of Auth.js v5. */
export function providerConfig(type: 'oauth' | 'oidc', customFetch: symbol): object {
  const common = { id: 'idp', name: 'Identity provider', type, clientId, clientSecret, checks: ['pkce', 'state'] };
  if (type === 'oidc') return { ...common, issuer, [customFetch]: identityProvider() };
  return {
    ...common,
    authorization: { url: metadata.authorization_endpoint, params: { scope: 'read:user' } },
    token: metadata.token_endpoint,
    userinfo: metadata.userinfo_endpoint,
    profile: ({ sub, name, email }: { sub: string; name: string; email: string }) => ({ id: sub, name, email }),
  };
}
