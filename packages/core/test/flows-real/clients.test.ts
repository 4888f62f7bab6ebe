import type { OidcProvider } from '@latchkey/testing/oidc-provider';
import { exportJWK, generateKeyPair } from 'jose';
import { afterEach, describe, expect, it } from 'vitest';
import type { OIDCConfig } from '../../src/providers/oauth.ts';
import type { Profile } from '../../src/types/user.ts';
import { type App, application, clientSecret, idp, origin, sessionCookie, startProvider } from './scene.ts';

const running: OidcProvider[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((provider) => provider.close()));
});

/** @param registered The client as it is registered at the provider. */
async function app(registered: object, options: Partial<OIDCConfig<Profile>>, requirePkce = false): Promise<App> {
  const provider = await startProvider(registered, { requirePkce });
  running.push(provider);
  return application(idp(provider.issuer, options));
}

async function expectSignedIn(visitor: App): Promise<void> {
  expect((await visitor.signIn()).location).toBe(`${origin}/inside`);
  expect(await visitor.session()).toMatchObject({ user: { email: 'ada@example.com' } });
  expect(visitor.log).toEqual([]);
}

const method = (token_endpoint_auth_method: string): { token_endpoint_auth_method: string } => ({
  token_endpoint_auth_method,
});

describe('the real provider accepts a client', () => {
  it.each(['client_secret_basic', 'client_secret_post', 'client_secret_jwt'])('with %s', async (name) => {
    await expectSignedIn(await app(method(name), { client: method(name) }));
  });

  it('with a secret and an id that need encoding', async () => {
    const client_id = 'app: with/strange+characters';
    const client_secret = "a secret: 100% strange + long/enough ~!*'()";
    const registered = { client_id, client_secret };
    await expectSignedIn(await app(registered, { clientId: client_id, clientSecret: client_secret }));
  });

  it('without a secret, by PKCE alone', async () => {
    const registered = { ...method('none'), client_secret: undefined };
    await expectSignedIn(await app(registered, { client: method('none'), clientSecret: undefined }, true));
  });

  it('with a key pair', async () => {
    const { privateKey, publicKey } = await generateKeyPair('ES256');
    const jwk = { ...(await exportJWK(publicKey)), kid: 'mine', alg: 'ES256', use: 'sig' };
    const registered = { ...method('private_key_jwt'), client_secret: undefined, jwks: { keys: [jwk] } };
    const token = { clientPrivateKey: { key: privateKey, kid: 'mine' } };
    await expectSignedIn(await app(registered, { client: method('private_key_jwt'), clientSecret: undefined, token }));
  });

  it('whose ID tokens are signed with ES256', async () => {
    const algorithm = { id_token_signed_response_alg: 'ES256' };
    await expectSignedIn(await app(algorithm, { client: algorithm }));
  });

  it('whose ID tokens are signed with its secret, where the configuration says so', async () => {
    const algorithm = { id_token_signed_response_alg: 'HS256' };
    await expectSignedIn(await app(algorithm, { client: algorithm }));
  });

  it('whose profile comes as a signed token', async () => {
    const algorithm = { userinfo_signed_response_alg: 'RS256' };
    await expectSignedIn(await app(algorithm, { client: algorithm, idToken: false }));
  });
});

describe('a sign-in at the real provider is refused', () => {
  async function expectRefused(visitor: App): Promise<void> {
    expect((await visitor.signIn()).location).toBe(`${origin}/auth/signin?error=OAuthCallbackError&provider=idp`);
    expect(await visitor.session()).toBeNull();
    expect(visitor.browser.cookies.has(sessionCookie)).toBe(false);
    expect(visitor.log).toEqual(['OAuthCallbackError']);
  }

  it('with a wrong secret', async () => {
    await expectRefused(await app({}, { clientSecret: `${clientSecret}?` }));
  });

  it('with another way to authenticate than the registered one', async () => {
    await expectRefused(await app(method('client_secret_jwt'), { client: method('client_secret_basic') }));
  });

  it('when ID tokens are signed with the secret, and the configuration does not say so', async () => {
    await expectRefused(await app({ id_token_signed_response_alg: 'HS256' }, {}));
  });

  it('when ID tokens are signed by another algorithm than the configuration says', async () => {
    await expectRefused(await app({}, { client: { id_token_signed_response_alg: 'ES256' } }));
  });

  it('when the keys are those of another provider', async () => {
    const other = await startProvider();
    running.push(other);
    await expectRefused(await app({}, { jwks_endpoint: `${other.issuer}/jwks` }));
  });

  it('without PKCE, where the provider insists on it', async () => {
    const visitor = await app({}, { checks: ['state'] }, true);
    expect(await visitor.consent(await visitor.begin())).toContain('error=invalid_request');
    await expectRefused(visitor);
  });
});
