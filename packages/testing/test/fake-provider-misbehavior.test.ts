import { Auth } from '@latchkey/core';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { describe, expect, it } from 'vitest';
import {
  Browser,
  FakeProvider,
  type FakeProviderOptions,
  type Misbehavior,
  type Page,
  type SignedBy,
} from '../src/index.ts';

/** An application, as the tests of an application use this package. */
function application(provider: FakeProvider, configured: object = provider.provider()) {
  const logger = { error() {}, warn() {}, debug() {} };
  const config = { providers: [configured as never], secret: 'x'.repeat(32), trustHost: true, logger };
  const browser = new Browser((request) => Auth(request, config));
  const begin = async (): Promise<string> => {
    const { csrfToken } = (await browser.get('/auth/csrf')).json<{ csrfToken: string }>();
    return (await browser.post('/auth/signin/fake', { csrfToken })).location ?? '';
  };
  const signIn = async (): Promise<Page> =>
    browser.get(await provider.authorize(await begin()), { site: 'cross-site' });
  return { browser, begin, signIn };
}

const ok = (page: Page): boolean =>
  page.setCookies.some(({ name, value }) => name.endsWith('session-token') && value !== '');

describe('the fake provider in an application', () => {
  it.each<[string, FakeProviderOptions]>([
    ['as it is', {}],
    ['on HS256', { signingAlgorithm: 'HS256' }],
    ['with client_secret_post', client('client_secret_post')],
    ['with client_secret_jwt', client('client_secret_jwt')],
    ['for a public client', { clients: [{ client_id: 'app', token_endpoint_auth_method: 'none' }] }],
    ['that insists on PKCE', { requirePkce: true }],
  ])('needs no configuration but itself: %s', async (_, options) => {
    const provider = new FakeProvider({ signingAlgorithm: 'ES256', ...options });
    expect(ok(await application(provider).signIn())).toBe(true);
  });

  it.each<[string, FakeProviderOptions]>([
    ['as it is', {}],
    ['without ID tokens', { oidc: false }],
    ['with client_secret_post', client('client_secret_post')],
    ['for a public client', { clients: [{ client_id: 'app', token_endpoint_auth_method: 'none' }] }],
  ])('needs none as a plain OAuth 2 provider either: %s', async (_, options) => {
    const provider = new FakeProvider({ signingAlgorithm: 'ES256', ...options });
    expect(ok(await application(provider, provider.plainProvider()).signIn())).toBe(true);
    expect([provider.count('discovery'), provider.count('userinfo')]).toEqual([0, 1]);
  });

  it('keeps members that the application sets', () => {
    const provider = new FakeProvider({ signingAlgorithm: 'ES256' });
    const profile = (): { id: string } => ({ id: 'x' });
    expect(provider.provider({ id: 'acme', checks: ['nonce'], profile })).toMatchObject({
      id: 'acme',
      checks: ['nonce'],
      profile,
      issuer: provider.issuer,
    });
    expect(provider.plainProvider({ id: 'acme' })).toMatchObject({ id: 'acme', type: 'oauth' });
  });
});

function client(token_endpoint_auth_method: 'client_secret_post' | 'client_secret_jwt'): FakeProviderOptions {
  return { clients: [{ client_id: 'app', client_secret: 's'.repeat(40), token_endpoint_auth_method }] };
}

const ways: [string, Misbehavior][] = [
  ['the ID token', { idToken: { claims: { iss: 'https://impostor.example' } } }],
  ['the callback', { callback: { state: 'another' } }],
  ['the metadata', { discovery: { json: { issuer: 'https://impostor.example' } } }],
  ['the keys', { jwks: { status: 503 } }],
  ['the token endpoint', { token: { status: 503 } }],
  ['userinfo', { userinfo: { json: { sub: 'another-subject' } } }],
];

describe('misbehavior', () => {
  it.each(ways)('of %s is refused, and ends with `behave`', async (_, way) => {
    const provider = new FakeProvider({ signingAlgorithm: 'ES256' });
    const app = application(provider, provider.provider({ idToken: !way.userinfo }));
    provider.misbehave(way);
    const begun = await app.begin();
    const began = begun.startsWith(provider.issuer);
    expect(began).toBe(!way.discovery);
    if (began) expect(ok(await app.browser.get(await provider.authorize(begun), { site: 'cross-site' }))).toBe(false);
    provider.behave();
    expect(ok(await app.signIn())).toBe(true);
    expect(provider.count()).toBeGreaterThan(0);
  });

  it('is cumulative, and a repeated member replaces the earlier one', () => {
    const provider = new FakeProvider({ signingAlgorithm: 'ES256' });
    provider.misbehave({ token: { status: 500 }, callback: { iss: 'a' } });
    provider.misbehave({ jwks: { throw: true }, callback: { iss: 'b' } });
    expect(provider.faults).toEqual({ token: { status: 500 }, jwks: { throw: true } });
    expect(provider.overrides).toEqual({ callback: { iss: 'b' } });
    provider.behave();
    expect([provider.faults, provider.overrides]).toEqual([{}, {}]);
  });

  it('changes the callback in addition to the consent, and can repeat parameters', async () => {
    const provider = new FakeProvider({ signingAlgorithm: 'ES256' });
    const { begin } = application(provider);
    provider.misbehave({ callback: { code: ['one', 'two'], iss: undefined } });
    const back = new URL(await provider.authorize(await begin(), { parameters: { user: '{}' } }));
    expect([...back.searchParams.keys()]).toEqual(['code', 'code', 'state', 'user']);
    const asked = `${await begin()}&response_mode=form_post`;
    const { body, fields } = await provider.authorizeForm(asked);
    expect([body.getAll('code'), fields.code]).toEqual([['one', 'two'], 'two']);
    const form = await (await provider.fetch(asked)).text();
    expect(form.match(/name="code"/g)).toHaveLength(2);
  });

  it('redirects visitors to another provider, with authorize() and in a browser', async () => {
    const honest = new FakeProvider({ issuer: 'https://honest.test' });
    const hostile = new FakeProvider({ issuer: 'https://hostile.test' });
    hostile.misbehave({ mixUp: { to: honest, parameters: { redirect_uri: 'https://app.test/honest' } } });
    const { begin } = application(hostile);
    const address = await begin();
    const back = new URL(await hostile.authorize(address));
    expect([back.origin + back.pathname, back.searchParams.get('iss')]).toEqual([
      'https://app.test/honest',
      honest.issuer,
    ]);
    const redirect = await hostile.fetch(address, { redirect: 'manual' });
    const on = new URL(redirect.headers.get('location') ?? '');
    expect([on.origin, on.searchParams.get('state')]).toEqual([
      honest.issuer,
      new URL(address).searchParams.get('state'),
    ]);
  });

  it('truncates a response', async () => {
    const provider = new FakeProvider({ signingAlgorithm: 'ES256' });
    provider.misbehave({ discovery: { cut: 10 } });
    const response = await provider.fetch(provider.endpoints.discovery);
    await expect(response.text()).rejects.toThrow('fetch failed');
  });

  it('changes the JSON of single responses', async () => {
    const provider = new FakeProvider({ signingAlgorithm: 'ES256' });
    provider.misbehave({ discovery: { json: { issuer: 'x', jwks_uri: undefined }, times: 1 } });
    const read = async () => (await provider.fetch(provider.endpoints.discovery)).json();
    const [spoilt, right] = [await read(), await read()];
    expect([spoilt.issuer, 'jwks_uri' in spoilt, right.issuer]).toEqual(['x', false, provider.issuer]);
  });

  it('sends bytes without changes', async () => {
    const provider = new FakeProvider({ signingAlgorithm: 'ES256' });
    provider.misbehave({ discovery: { body: new Uint8Array([0xff, 0xfe]) } });
    const response = await provider.fetch(provider.endpoints.discovery);
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(new Uint8Array([0xff, 0xfe]));
  });
});

describe('the key of a token', () => {
  const kinds: [SignedBy, Record<string, unknown>][] = [
    ['right-key', { alg: 'ES256', kid: 'key-1' }],
    ['wrong-key', { alg: 'ES256', kid: 'key-1' }],
    [
      'embedded-key',
      { alg: 'ES256', kid: 'key-1', jwk: expect.objectContaining({ kty: 'EC' }), jku: expect.any(String) },
    ],
    ['unlisted-algorithm', { alg: 'RS256', kid: 'key-unlisted' }],
    ['client-secret', { alg: 'HS256' }],
    ['public-key', { alg: 'HS256', kid: 'key-1' }],
    ['none', { alg: 'none' }],
  ];

  it.each(kinds)('has the algorithm and key id of its kind in the header: %s', async (sign, header) => {
    const provider = new FakeProvider({ signingAlgorithm: 'ES256' });
    const app = application(provider);
    let token = '';
    provider.misbehave({ idToken: { sign, token: (made) => (token = made) } });
    expect(ok(await app.signIn())).toBe(sign === 'right-key');
    expect(decodeProtectedHeader(token)).toMatchObject(header);
    expect(decodeJwt(token).sub).toBe('ada-1815');
  });

  it('also signs userinfo, if the provider does', async () => {
    const provider = new FakeProvider({ signingAlgorithm: 'ES256', signedUserinfo: true });
    const app = application(provider, provider.provider({ idToken: false }));
    expect(ok(await app.signIn())).toBe(true);
    provider.misbehave({ userinfoToken: { sign: 'wrong-key' } });
    expect(ok(await app.signIn())).toBe(false);
  });
});
