import { jwtVerify } from 'jose';
import * as oauth from 'oauth4webapi';
import { describe, expect, it } from 'vitest';
import { DEFAULT_SECRET, FakeProvider, type IdTokenFault, type IdTokenOverride, idTokenFaults } from '../src/index.ts';
import { beginSignIn, type RelyingPartyOptions, redirectUri, type SignedIn } from './relying-party.ts';

const authentication = oauth.ClientSecretBasic(DEFAULT_SECRET);

function party(provider: FakeProvider): RelyingPartyOptions {
  return { issuer: provider.issuer, fetch: provider.fetch, authentication };
}

async function signIn(provider: FakeProvider): Promise<SignedIn> {
  const { url, finish } = await beginSignIn(party(provider));
  return finish(await provider.authorize(url));
}

describe('faulty responses', () => {
  it('change status, headers and body', async () => {
    const provider = new FakeProvider({ signingAlgorithm: 'ES256' });
    provider.faults.discovery = { status: 503, headers: { 'retry-after': '5' }, body: 'down' };
    const response = await provider.fetch(provider.endpoints.discovery);
    expect([response.status, response.headers.get('retry-after'), await response.text()]).toEqual([503, '5', 'down']);
    provider.faults.discovery = { headers: { 'content-type': '' } };
    const typeless = await provider.fetch(provider.endpoints.discovery);
    expect(typeless.headers.get('content-type')).toBeNull();
    expect(await typeless.json()).toMatchObject({ issuer: provider.issuer });
    provider.faults.discovery = { body: { issuer: 'https://impostor.example' } };
    expect(await (await provider.fetch(provider.endpoints.discovery)).json()).toEqual({
      issuer: 'https://impostor.example',
    });
    provider.faults.discovery = { status: 204 };
    expect((await provider.fetch(provider.endpoints.discovery)).body).toBeNull();
  });

  it('occur as often as the test requests', async () => {
    const provider = new FakeProvider({ signingAlgorithm: 'ES256' });
    provider.faults.jwks = { status: 500, times: 2 };
    const statuses = [];
    for (let turn = 0; turn < 3; turn += 1) statuses.push((await provider.fetch(provider.endpoints.jwks)).status);
    expect(statuses).toEqual([500, 500, 200]);
    provider.faults.jwks = (_request, count) => (count === 5 ? { status: 502 } : undefined);
    expect((await provider.fetch(provider.endpoints.jwks)).status).toBe(200);
    expect((await provider.fetch(provider.endpoints.jwks)).status).toBe(502);
  });

  it('close the connection', async () => {
    const provider = new FakeProvider({ signingAlgorithm: 'ES256' });
    provider.faults.token = { throw: true };
    await expect(signIn(provider)).rejects.toThrow('fetch failed');
    provider.faults.token = { throw: new Error('mine') };
    await expect(signIn(provider)).rejects.toThrow('mine');
    provider.reset();
    await expect(signIn(provider)).resolves.toMatchObject({ claims: { sub: 'ada-1815' } });
  });

  it('redirect, and fetch follows unless the request forbids it', async () => {
    const provider = new FakeProvider({ signingAlgorithm: 'ES256' });
    provider.faults.userinfo = { redirect: '/jwks' };
    expect(await (await provider.fetch(provider.endpoints.userinfo)).json()).toHaveProperty('keys');
    expect((await provider.fetch(provider.endpoints.userinfo, { redirect: 'manual' })).status).toBe(302);
    await expect(provider.fetch(provider.endpoints.userinfo, { redirect: 'error' })).rejects.toThrow('fetch failed');
    provider.faults.userinfo = { redirect: '/userinfo' };
    await expect(provider.fetch(provider.endpoints.userinfo)).rejects.toThrow('fetch failed');
    provider.faults.userinfo = { redirect: 'https://elsewhere.example/', status: 307 };
    await expect(provider.fetch(provider.endpoints.userinfo)).rejects.toThrow('fetch failed');
  });

  it('wait until the client aborts', async () => {
    const provider = new FakeProvider({ signingAlgorithm: 'ES256' });
    provider.faults.discovery = { delay: 'forever' };
    await expect(
      provider.fetch(provider.endpoints.discovery, { signal: AbortSignal.timeout(20) }),
    ).rejects.toMatchObject({
      name: 'TimeoutError',
    });
    await expect(provider.fetch(provider.endpoints.discovery, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: 'AbortError',
    });
    provider.faults.discovery = { delay: 5 };
    expect((await provider.fetch(provider.endpoints.discovery, { signal: AbortSignal.timeout(5000) })).status).toBe(
      200,
    );
  });

  it('send byte by byte until the client aborts', async () => {
    const provider = new FakeProvider({ signingAlgorithm: 'ES256' });
    provider.faults.jwks = { drip: 1, body: { keys: [] } };
    expect(await (await provider.fetch(provider.endpoints.jwks)).json()).toEqual({ keys: [] });
    provider.faults.jwks = { drip: 60_000 };
    const response = await provider.fetch(provider.endpoints.jwks, { signal: AbortSignal.timeout(20) });
    await expect(response.text()).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  it('have large and endless bodies', async () => {
    const provider = new FakeProvider({ signingAlgorithm: 'ES256' });
    provider.faults.jwks = { padding: 100_000, body: { keys: [] } };
    const huge = await (await provider.fetch(provider.endpoints.jwks)).text();
    expect(huge.length).toBe(100_000 + '{"keys":[]}'.length);
    expect(JSON.parse(huge)).toEqual({ keys: [] });
    provider.faults.jwks = { endless: true };
    const controller = new AbortController();
    const reader = (await provider.fetch(provider.endpoints.jwks, { signal: controller.signal })).body?.getReader();
    let size = 0;
    while (size < 1_000_000) size += (await reader?.read())?.value?.length ?? 0;
    controller.abort();
    await expect(reader?.read().then(() => reader.read())).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('changed responses', () => {
  it('have changed JSON', async () => {
    const provider = new FakeProvider({ signingAlgorithm: 'ES256' });
    provider.overrides.userinfo = (claims) => ({ ...claims, sub: 'mallory' });
    await expect(signIn(provider)).rejects.toThrow('sub');
    provider.overrides.userinfo = undefined;
    provider.overrides.token = (answer) => ({ ...answer, token_type: undefined });
    await expect(signIn(provider)).rejects.toThrow('token_type');
    provider.overrides.token = undefined;
    provider.overrides.discovery = (metadata) => ({ ...metadata, issuer: 'https://impostor.example' });
    await expect(signIn(provider)).rejects.toThrow('issuer');
  });

  // oauth4webapi leaves these checks to its callers: the hashes of the hybrid flow, and the type of the token.
  const leftToCallers = ['badAtHash', 'badCHash', 'issuedTomorrow', 'emptySubject', 'logoutToken', 'accessToken'];
  const refused = Object.entries(idTokenFaults).filter(([name]) => !leftToCallers.includes(name)) as [
    IdTokenFault,
    IdTokenOverride,
  ][];

  it.each(refused)('makes ID tokens that a strict client refuses: %s', async (_name, fault) => {
    const provider = new FakeProvider({ signingAlgorithm: 'ES256' });
    provider.overrides.idToken = fault;
    await expect(signIn(provider)).rejects.toThrow();
    provider.reset();
    await expect(signIn(provider)).resolves.toMatchObject({ claims: { sub: 'ada-1815' } });
  });

  it('contain ID tokens without a key id, with the hash of the access token', async () => {
    const provider = new FakeProvider({ signingAlgorithm: 'ES256' });
    provider.overrides.idToken = { header: ({ alg }) => ({ alg }) };
    const { tokens, claims } = await signIn(provider);
    expect(JSON.parse(atob(tokens.id_token?.split('.')[0] ?? ''))).toEqual({ alg: 'ES256' });
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(tokens.access_token));
    expect(claims?.at_hash).toBe(Buffer.from(digest).subarray(0, 16).toString('base64url'));
  });

  it('contain a wrong hash of the access token', async () => {
    const provider = new FakeProvider({ signingAlgorithm: 'ES256' });
    const right = (await signIn(provider)).claims?.at_hash;
    provider.overrides.idToken = idTokenFaults.badAtHash;
    const wrong = (await signIn(provider)).claims?.at_hash;
    expect([typeof right, wrong]).toEqual(['string', 'AAAAAAAAAAAAAAAAAAAAAA']);
  });

  it('are signed with the client secret if the algorithm is HS256', async () => {
    const clients = [
      { client_id: 'client', client_secret: DEFAULT_SECRET, token_endpoint_auth_method: 'client_secret_post' as const },
    ];
    const provider = new FakeProvider({ signingAlgorithm: 'HS256', clients });
    const { url } = await beginSignIn({ ...party(provider), pkce: false });
    const { id_token: idToken } = await exchange(provider, await provider.authorize(url), {
      client_secret: DEFAULT_SECRET,
    });
    const { payload, protectedHeader } = await jwtVerify(String(idToken), new TextEncoder().encode(DEFAULT_SECRET));
    expect([protectedHeader.alg, payload.sub]).toEqual(['HS256', 'ada-1815']);
    expect(await (await provider.fetch(provider.endpoints.jwks)).json()).toEqual({ keys: [] });
  });

  it('fail with a clear error if a client with HS256 does not have a secret', async () => {
    const clients = [{ client_id: 'client', token_endpoint_auth_method: 'none' as const }];
    const provider = new FakeProvider({ signingAlgorithm: 'HS256', clients });
    const { url } = await beginSignIn({ ...party(provider), pkce: false });
    const back = await provider.authorize(url);
    await expect(exchange(provider, back)).rejects.toThrow('set the client_secret of the client client');
  });
});

/** Redeems a code without oauth4webapi, for requests that it does not send. */
async function exchange(
  provider: FakeProvider,
  back: string,
  more: Record<string, string> = {},
): Promise<Record<string, unknown>> {
  const code = new URL(back).searchParams.get('code') ?? '';
  const response = await provider.fetch(provider.endpoints.token, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      client_id: 'client',
      ...more,
    }),
  });
  return response.json();
}
