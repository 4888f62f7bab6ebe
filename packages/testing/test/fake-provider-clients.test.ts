import { exportJWK, generateKeyPair } from 'jose';
import * as oauth from 'oauth4webapi';
import { describe, expect, it } from 'vitest';
import { type FakeClient, FakeProvider } from '../src/index.ts';
import { beginSignIn } from './relying-party.ts';

const secret = 'a secret: with & odd+characters/ä'.padEnd(40, '!');
const keys = await generateKeyPair('ES256', { extractable: true });
const jwks = { keys: [{ ...(await exportJWK(keys.publicKey)), kid: 'mine' }] };
const client = (method: FakeClient['token_endpoint_auth_method'], more: Partial<FakeClient> = {}): FakeClient => ({
  client_id: 'client',
  ...(method ? { token_endpoint_auth_method: method } : {}),
  ...more,
});

async function signIn(known: FakeClient, authentication: oauth.ClientAuth): Promise<unknown> {
  const provider = new FakeProvider({ clients: [known], signingAlgorithm: 'ES256' });
  const { url, finish } = await beginSignIn({ issuer: provider.issuer, fetch: provider.fetch, authentication });
  return (await finish(await provider.authorize(url))).claims?.sub;
}

describe('client authentication at the fake provider', () => {
  it.each<[string, FakeClient, oauth.ClientAuth]>([
    ['client_secret_basic', client('client_secret_basic', { client_secret: secret }), oauth.ClientSecretBasic(secret)],
    ['client_secret_basic by default', client(undefined, { client_secret: secret }), oauth.ClientSecretBasic(secret)],
    ['client_secret_post', client('client_secret_post', { client_secret: secret }), oauth.ClientSecretPost(secret)],
    ['client_secret_jwt', client('client_secret_jwt', { client_secret: secret }), oauth.ClientSecretJwt(secret)],
    [
      'private_key_jwt',
      client('private_key_jwt', { jwks }),
      oauth.PrivateKeyJwt({ key: keys.privateKey, kid: 'mine' }),
    ],
    ['none', client('none'), oauth.None()],
  ])('accepts %s', async (_title, known, authentication) => {
    expect(await signIn(known, authentication)).toBe('ada-1815');
  });

  it.each<[string, FakeClient, oauth.ClientAuth]>([
    ['a wrong secret', client('client_secret_basic', { client_secret: secret }), oauth.ClientSecretBasic('wrong')],
    ['another method', client('client_secret_basic', { client_secret: secret }), oauth.ClientSecretPost(secret)],
    ['no authentication', client('client_secret_post', { client_secret: secret }), oauth.None()],
    [
      'an assertion with a wrong secret',
      client('client_secret_jwt', { client_secret: secret }),
      oauth.ClientSecretJwt('wrong'.repeat(10)),
    ],
    [
      'an assertion with an unknown key',
      client('private_key_jwt', { jwks: { keys: [] } }),
      oauth.PrivateKeyJwt(keys.privateKey),
    ],
    ['a secret where a key is registered', client('private_key_jwt', { jwks }), oauth.ClientSecretJwt(secret)],
    ['two methods at once', client('client_secret_post', { client_secret: secret }), twoWays(secret)],
  ])('refuses %s', async (_title, known, authentication) => {
    await expect(signIn(known, authentication)).rejects.toSatisfy((error) => {
      expect(error).toMatchObject({ status: 401 });
      return true;
    });
  });

  it('refuses an assertion that was used before', async () => {
    const known = client('client_secret_jwt', { client_secret: secret });
    const provider = new FakeProvider({ clients: [known] });
    const { url, finish } = await beginSignIn({
      issuer: provider.issuer,
      fetch: provider.fetch,
      authentication: oauth.ClientSecretJwt(secret),
    });
    await finish(await provider.authorize(url));
    const [first] = provider.requestsTo('token');
    const again = await provider.fetch(provider.endpoints.token, {
      method: 'POST',
      headers: first?.headers ?? {},
      body: first?.body ?? '',
    });
    expect(await again.json()).toMatchObject({
      error: 'invalid_client',
      error_description: 'client_assertion was used before',
    });
  });
});

function twoWays(password: string): oauth.ClientAuth {
  return async (server, known, body, headers) => {
    await oauth.ClientSecretPost(password)(server, known, body, headers);
    await oauth.ClientSecretBasic(password)(server, known, body, headers);
  };
}
