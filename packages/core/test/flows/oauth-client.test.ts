import { DEFAULT_SECRET, type FakeClient, type FakeProvider } from '@latchkey/testing';
import { decodeJwt, decodeProtectedHeader, exportJWK, generateKeyPair } from 'jose';
import { describe, expect, it } from 'vitest';
import { oneDoor } from './doors.ts';
import {
  expectConfiguration,
  fakeProvider,
  oauth,
  oauthScene,
  oidc,
  oidcScene,
  scene,
  startsSession,
} from './scene.ts';

function withClient(client: Partial<FakeClient>): FakeProvider {
  return fakeProvider({ clients: [{ client_id: 'client', client_secret: DEFAULT_SECRET, ...client }] });
}

describe.each(oneDoor)('the client at the token endpoint through $name', (door) => {
  it.each([undefined, 'client_secret_basic'])('authenticates with Basic for %s', async (method) => {
    const fake = withClient({ client_secret: "c s+/é-_.!~*'()" });
    const app = scene(door, {
      providers: [
        oidc(fake, {
          clientSecret: "c s+/é-_.!~*'()",
          ...(method ? { client: { token_endpoint_auth_method: method } } : {}),
        }),
      ],
    });
    expect(startsSession(await app.signIn(fake))).toBe(true);
    const [request] = fake.requestsTo('token');
    expect(atob(request?.headers.get('authorization')?.split(' ')[1] ?? '')).toBe("client:c+s%2B%2F%C3%A9-_.!~*'()");
    expect(request?.form.has('client_id')).toBe(false);
    expect(request?.form.has('client_secret')).toBe(false);
  });

  it('authenticates in the body with client_secret_post', async () => {
    const fake = withClient({ token_endpoint_auth_method: 'client_secret_post' });
    const client = { token_endpoint_auth_method: 'client_secret_post' };
    const app = scene(door, { providers: [oidc(fake, { client })] });
    expect(startsSession(await app.signIn(fake))).toBe(true);
    const [request] = fake.requestsTo('token');
    expect(request?.headers.has('authorization')).toBe(false);
    expect(request?.form.get('client_id')).toBe('client');
    expect(request?.form.get('client_secret')).toBe(DEFAULT_SECRET);
  });

  it('authenticates by an HS256 assertion with client_secret_jwt', async () => {
    const fake = withClient({ token_endpoint_auth_method: 'client_secret_jwt' });
    const client = { token_endpoint_auth_method: 'client_secret_jwt' };
    const app = scene(door, { providers: [oidc(fake, { client })] });
    expect(startsSession(await app.signIn(fake))).toBe(true);
    const assertion = fake.requestsTo('token')[0]?.form.get('client_assertion') ?? '';
    expect(decodeProtectedHeader(assertion)).toMatchObject({ alg: 'HS256' });
    const aud = [fake.issuer, fake.endpoints.token];
    expect(decodeJwt(assertion)).toMatchObject({ iss: 'client', sub: 'client', aud });
    expect(fake.requestsTo('token')[0]?.body).not.toContain(DEFAULT_SECRET);
  });

  it('names the token endpoint in the assertion for a plain provider, which has no issuer', async () => {
    const fake = withClient({ token_endpoint_auth_method: 'client_secret_jwt' });
    const client = { token_endpoint_auth_method: 'client_secret_jwt' };
    const app = scene(door, { providers: [oauth(fake, { client })] });
    expect(startsSession(await app.signIn(fake, { id: 'plain' }))).toBe(true);
    const assertion = fake.requestsTo('token')[0]?.form.get('client_assertion') ?? '';
    expect(decodeJwt(assertion)).toMatchObject({ iss: 'client', sub: 'client', aud: [fake.endpoints.token] });
  });

  it.each(['with discovery', 'with own endpoints'])(
    'authenticates by a signed assertion with private_key_jwt, %s',
    async (how) => {
      const { privateKey, publicKey } = await generateKeyPair('ES256');
      const fake = withClient({
        token_endpoint_auth_method: 'private_key_jwt',
        jwks: { keys: [{ ...(await exportJWK(publicKey)), kid: 'mine', alg: 'ES256' }] },
      });
      const clientPrivateKey = { key: privateKey, kid: 'mine' };
      const app = scene(door, {
        providers: [
          oidc(fake, {
            clientSecret: undefined,
            client: { token_endpoint_auth_method: 'private_key_jwt' },
            token: how === 'with discovery' ? { clientPrivateKey } : { url: fake.endpoints.token, clientPrivateKey },
          }),
        ],
      });
      expect(startsSession(await app.signIn(fake))).toBe(true);
      const form = fake.requestsTo('token')[0]?.form;
      const assertion = form?.get('client_assertion') ?? '';
      expect(decodeProtectedHeader(assertion)).toEqual({ alg: 'ES256', kid: 'mine' });
      const claims = decodeJwt(assertion);
      expect(claims).toMatchObject({ iss: 'client', sub: 'client', aud: [fake.issuer, fake.endpoints.token] });
      expect(claims.jti).toMatch(/^[\w-]{43}$/);
      expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe(60);
      expect(form?.get('client_assertion_type')).toBe('urn:ietf:params:oauth:client-assertion-type:jwt-bearer');
    },
  );

  it('sends only its id with none', async () => {
    const fake = withClient({ token_endpoint_auth_method: 'none' });
    const app = scene(door, {
      providers: [oidc(fake, { clientSecret: undefined, client: { token_endpoint_auth_method: 'none' } })],
    });
    expect(startsSession(await app.signIn(fake))).toBe(true);
    const [request] = fake.requestsTo('token');
    expect(request?.form.get('client_id')).toBe('client');
    expect(request?.headers.has('authorization')).toBe(false);
    expect(request?.form.has('client_secret')).toBe(false);
  });

  it.each([
    ['an unknown method', { client: { token_endpoint_auth_method: 'tls_magic' } }, /tls_magic.*unknown/],
    ['no secret', { clientSecret: undefined }, /no client secret/],
    ['no key', { client: { token_endpoint_auth_method: 'private_key_jwt' } }, /clientPrivateKey/],
  ])('is the owner to mend with %s: nothing is sent, the log tells what to do', async (_, own, message) => {
    const { app, fake } = oidcScene(door, own);
    const page = await app.signIn(fake);
    expectConfiguration(app, page);
    expect(fake.count('token')).toBe(0);
    expect(app.log.errors[0]?.message).toMatch(message);
  });

  it('sends the code, the verifier, and the redirect URI, and asks for JSON', async () => {
    const { app, fake } = oidcScene(door);
    await app.signIn(fake);
    const [request] = fake.requestsTo('token');
    expect(Object.fromEntries(request?.form ?? [])).toEqual({
      grant_type: 'authorization_code',
      redirect_uri: 'http://localhost:3000/auth/callback/fake',
      code: expect.stringMatching(/^code_/),
      code_verifier: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect(request?.headers.get('accept')).toBe('application/json');
    expect(request?.headers.get('content-type')).toMatch(/^application\/x-www-form-urlencoded/);
  });

  it('sends no verifier if PKCE is not among the checks', async () => {
    const { app, fake } = oidcScene(door, { checks: ['state'] });
    await app.signIn(fake);
    expect(fake.requestsTo('token')[0]?.form.has('code_verifier')).toBe(false);
  });

  it('uses the metadata in `client`', async () => {
    const fake = fakeProvider({ clients: [{ client_id: 'other', client_secret: DEFAULT_SECRET }] });
    const app = scene(door, { providers: [oidc(fake, { client: { client_id: 'other' } })] });
    expect(startsSession(await app.signIn(fake))).toBe(true);
    const strict = scene(door, { providers: [oidc(fakeProvider(), { client: { require_auth_time: true } })] });
    expect((await strict.begin()).location).toMatch(/^https:\/\/idp\.test/);
  });

  it("needs no issuer for a plain provider, and ignores the callback's `iss`", async () => {
    const { app, fake } = oauthScene(door);
    expect(startsSession(await app.signIn(fake, { id: 'plain' }))).toBe(true);
    expect(startsSession(await app.signIn(fake, { id: 'plain', consent: { parameters: { iss: '' } } }))).toBe(true);
  });
});
