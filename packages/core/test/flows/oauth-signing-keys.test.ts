import nodeCrypto, { generateKeyPairSync, sign } from 'node:crypto';
import type { FakeProvider, FakeProviderOptions, Fault } from '@latchkey/testing';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { switchEngine } from '../../src/crypto/engine.ts';
import type { EngineKind } from '../../src/crypto/engine-web.ts';
import { customFetch } from '../../src/symbols.ts';
import { doors } from './doors.ts';
import { expectRefused, fakeProvider, oidc, oidcScene, type Scene, scene, startsSession } from './scene.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  switchEngine(undefined);
});

const [door] = doors as [(typeof doors)[number]];
const engines: readonly EngineKind[] = ['node', 'web'];
const algorithms = ['RS256', 'PS256', 'ES256', 'EdDSA'] as const;

/** An application that has the provider's keys, because a user has signed in. */
async function experienced(options?: FakeProviderOptions): Promise<{ fake: FakeProvider; app: Scene }> {
  const fake = fakeProvider(options);
  const app = scene(door, { providers: [oidc(fake)] });
  expect(startsSession(await app.signIn(fake))).toBe(true);
  return { fake, app };
}

async function expectRefusedSignIn({ fake, app }: { fake: FakeProvider; app: Scene }): Promise<void> {
  const browser = app.visitor();
  expectRefused(app, await app.signIn(fake, { browser }), 'OAuthCallbackError', browser);
}

type Alg = 'RS256' | 'PS256';
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const jwk = publicKey.export({ format: 'jwk' });

/** An answer of the token endpoint: an ID token signed with the test's own key, under this name. */
function signedBy(alg: Alg, kid: string, iss: string, key = privateKey): Fault {
  const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss, aud: 'client', sub: 'ada-1815', iat: now, exp: now + 60 };
  const data = `${encoded({ alg, kid })}.${encoded(claims)}`;
  const { RSA_PKCS1_PADDING, RSA_PKCS1_PSS_PADDING } = nodeCrypto.constants;
  const padding = alg === 'RS256' ? RSA_PKCS1_PADDING : RSA_PKCS1_PSS_PADDING;
  const signature = sign('sha256', Buffer.from(data), { key, padding, saltLength: 32 });
  const id_token = `${data}.${signature.toString('base64url')}`;
  return { body: { access_token: 'x', token_type: 'bearer', id_token } };
}

describe.each(engines)('cached signing keys, on the %s engine', (kind) => {
  it.each(algorithms)('verify the next signature, and no other: %s', async (signingAlgorithm) => {
    switchEngine(kind);
    const { fake, app } = await experienced({ signingAlgorithm });
    expect(startsSession(await app.signIn(fake))).toBe(true);
    expect(fake.count('jwks')).toBe(1);
    fake.misbehave({ idToken: { sign: 'wrong-key' } });
    await expectRefusedSignIn({ fake, app });
    fake.misbehave({ idToken: { sign: 'none' } });
    await expectRefusedSignIn({ fake, app });
  });

  it('are fetched again after 5 minutes', async () => {
    switchEngine(kind);
    vi.useFakeTimers({ toFake: ['Date'] });
    const { fake, app } = await experienced();
    app.clock.advance(290);
    vi.setSystemTime(Date.now() + 290_000);
    expect(startsSession(await app.signIn(fake))).toBe(true);
    expect(fake.count('jwks')).toBe(1);
    app.clock.advance(20);
    vi.setSystemTime(Date.now() + 20_000);
    expect(startsSession(await app.signIn(fake))).toBe(true);
    expect(fake.count('jwks')).toBe(2);
  });

  it('are replaced by new ones, which are fetched once for all sign-ins', async () => {
    switchEngine(kind);
    vi.useFakeTimers({ toFake: ['Date'] });
    const { fake, app } = await experienced();
    await fake.rotateKeys();
    app.clock.advance(61);
    vi.setSystemTime(Date.now() + 61_000);
    expect(startsSession(await app.signIn(fake))).toBe(true);
    expect(startsSession(await app.signIn(fake))).toBe(true);
    expect(fake.count('jwks')).toBe(2);
  });

  it.each([
    [
      'has a signature that is not base64url',
      { token: (token: string) => `${token.slice(0, token.lastIndexOf('.'))}.!!!` },
    ],
    ['names an unknown key', { header: { kid: 'an-unknown-key' } }],
  ])('refuse a token that %s', async (_, idToken) => {
    switchEngine(kind);
    const { fake, app } = await experienced();
    fake.misbehave({ idToken });
    await expectRefusedSignIn({ fake, app });
  });

  it.each<[string, Alg, object]>([
    ['an algorithm that they are not for', 'PS256', { alg: 'RS256' }],
    ['what is for encryption', 'RS256', { use: 'enc' }],
    ['what may sign alone', 'RS256', { key_ops: ['sign'] }],
    ['half a key', 'RS256', { n: undefined }],
  ])('verify nothing with %s', async (_, alg, member) => {
    switchEngine(kind);
    const fake = fakeProvider();
    const published = [
      { ...jwk, kid: 'good' },
      { ...jwk, kid: 'other', ...member },
    ];
    fake.misbehave({
      discovery: { json: { id_token_signing_alg_values_supported: ['RS256', 'PS256'] } },
      jwks: { body: { keys: published } },
      token: signedBy('RS256', 'good', fake.issuer),
    });
    const app = scene(door, { providers: [oidc(fake)] });
    expect(startsSession(await app.signIn(fake))).toBe(true);
    fake.misbehave({ token: signedBy(alg, 'good', fake.issuer) });
    expect(startsSession(await app.signIn(fake))).toBe(true);
    fake.misbehave({ token: signedBy(alg, 'other', fake.issuer) });
    await expectRefusedSignIn({ fake, app });
  });

  it('refuse a token of another algorithm', async () => {
    switchEngine(kind);
    const { fake, app } = await experienced();
    fake.misbehave({ idToken: { sign: 'public-key' } });
    await expectRefusedSignIn({ fake, app });
  });
});

describe('signing keys that cannot be used', () => {
  it.each([
    [2048, true],
    [2040, false],
  ])('are not RSA keys of %i bits: %s', async (modulusLength, isUsed) => {
    const pair = generateKeyPairSync('rsa', { modulusLength });
    const fake = fakeProvider();
    fake.misbehave({
      discovery: { json: { id_token_signing_alg_values_supported: ['RS256'] } },
      jwks: { body: { keys: [{ ...pair.publicKey.export({ format: 'jwk' }), kid: 'key' }] } },
      token: signedBy('RS256', 'key', fake.issuer, pair.privateKey),
    });
    const app = scene(door, { providers: [oidc(fake)] });
    expect(startsSession(await app.signIn(fake))).toBe(isUsed);
  });

  it('are reported in the log with the code of the protocol library', async () => {
    const { app, fake } = oidcScene(door);
    fake.misbehave({ discovery: { json: { id_token_signing_alg_values_supported: ['ES256', 'ML-DSA-44'] } } });
    expect(startsSession(await app.signIn(fake))).toBe(true);
    const renamed = (token: string) => token.replace(/^[^.]+/, btoa('{"alg":"ML-DSA-44"}').replaceAll('=', ''));
    fake.misbehave({ idToken: { token: renamed, claims: (claims) => ({ ...claims, at_hash: undefined }) } });
    await expectRefusedSignIn({ fake, app });
    expect(app.log.errors[0]?.cause).toMatchObject({ code: 'OAUTH_KEY_SELECTION_FAILED' });
  });

  it.each([
    [new Error('no connection'), /^no connection$/],
    [null, /instead of an Error$/],
  ])('are reported in the log with the reason why they cannot be fetched: %s', async (failure, message) => {
    const fake = fakeProvider();
    const fetching: typeof fetch = (input, init) =>
      String(input) === fake.endpoints.jwks ? Promise.reject(failure) : fake.fetch(input, init);
    const app = scene(door, { providers: [oidc(fake, { [customFetch]: fetching })] });
    await expectRefusedSignIn({ fake, app });
    expect(app.log.errors[0]?.cause?.err?.message).toMatch(message);
  });
});
