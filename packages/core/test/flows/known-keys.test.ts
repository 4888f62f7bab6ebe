import nodeCrypto, { generateKeyPairSync, sign } from 'node:crypto';
import type { FakeProvider, FakeProviderOptions, Fault } from '@latchkey/testing';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type EngineKind, engine, switchEngine } from '../../src/crypto/engine.ts';
import { customFetch } from '../../src/symbols.ts';
import { doors } from './doors.ts';
import { expectRefused, fakeProvider, oidc, type Scene, scene, startsSession } from './scene.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  switchEngine(undefined);
});

const [door] = doors as [(typeof doors)[number]];
const engines: readonly EngineKind[] = ['node', 'web'];
const algorithms = ['RS256', 'PS256', 'ES256', 'EdDSA'] as const;

/** An application that somebody has signed in to, so that it knows the provider's keys. */
async function experienced(options?: FakeProviderOptions): Promise<{ fake: FakeProvider; app: Scene }> {
  const fake = fakeProvider(options);
  const app = scene(door, { providers: [oidc(fake)] });
  expect(startsSession(await app.signIn(fake))).toBe(true);
  return { fake, app };
}

async function expectNobody({ fake, app }: { fake: FakeProvider; app: Scene }): Promise<void> {
  const browser = app.visitor();
  expectRefused(app, await app.signIn(fake, { browser }), 'OAuthCallbackError', browser);
}

type Alg = 'RS256' | 'PS256';
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const jwk = publicKey.export({ format: 'jwk' });

/** What the token endpoint answers: an ID token that our own key has signed, under this name. */
function signedBy(alg: Alg, kid: string, iss: string): Fault {
  const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss, aud: 'client', sub: 'ada-1815', iat: now, exp: now + 60 };
  const data = `${encoded({ alg, kid })}.${encoded(claims)}`;
  const { RSA_PKCS1_PADDING, RSA_PKCS1_PSS_PADDING } = nodeCrypto.constants;
  const padding = alg === 'RS256' ? RSA_PKCS1_PADDING : RSA_PKCS1_PSS_PADDING;
  const signature = sign('sha256', Buffer.from(data), { key: privateKey, padding, saltLength: 32 });
  const id_token = `${data}.${signature.toString('base64url')}`;
  return { body: { access_token: 'x', token_type: 'bearer', id_token } };
}

describe.each(engines)('signing keys that are known, on the %s engine', (kind) => {
  it.each(algorithms)('prove the next signature, and no other: %s', async (signingAlgorithm) => {
    switchEngine(kind);
    const { fake, app } = await experienced({ signingAlgorithm });
    expect(startsSession(await app.signIn(fake))).toBe(true);
    expect(fake.count('jwks')).toBe(1);
    fake.misbehave({ idToken: { sign: 'wrong-key' } });
    await expectNobody({ fake, app });
    fake.misbehave({ idToken: { sign: 'none' } });
    await expectNobody({ fake, app });
  });

  it('are fetched once an hour', async () => {
    switchEngine(kind);
    vi.useFakeTimers({ toFake: ['Date'] });
    const { fake, app } = await experienced();
    app.clock.advance(3590);
    vi.setSystemTime(Date.now() + 3_590_000);
    expect(startsSession(await app.signIn(fake))).toBe(true);
    expect(fake.count('jwks')).toBe(1);
    app.clock.advance(20);
    vi.setSystemTime(Date.now() + 20_000);
    expect(startsSession(await app.signIn(fake))).toBe(true);
    expect(fake.count('jwks')).toBe(2);
  });

  it('give way to new ones, which are fetched once for everybody', async () => {
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
    ['is signed by nobody knows what', { token: (token: string) => `${token.slice(0, token.lastIndexOf('.'))}.!!!` }],
    ['names a key that nobody knows', { header: { kid: 'nobody-knows-this-key' } }],
  ])('prove no token that %s', async (_, idToken) => {
    switchEngine(kind);
    const { fake, app } = await experienced();
    fake.misbehave({ idToken });
    await expectNobody({ fake, app });
  });

  it.each<[string, Alg, object]>([
    ['an algorithm that they are not for', 'PS256', { alg: 'RS256' }],
    ['what is for encryption', 'RS256', { use: 'enc' }],
    ['what may sign alone', 'RS256', { key_ops: ['sign'] }],
    ['half a key', 'RS256', { n: undefined }],
  ])('prove nothing by %s', async (_, alg, member) => {
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
    await expectNobody({ fake, app });
  });

  it('are no excuse for a token of another algorithm', async () => {
    switchEngine(kind);
    const { fake, app } = await experienced();
    fake.misbehave({ idToken: { sign: 'public-key' } });
    await expectNobody({ fake, app });
  });
});

describe('a signing key that is known', () => {
  type Keys = readonly Record<string, unknown>[];

  /** What was asked of the protocol library, which computes with WebCrypto, for a first sign-in and a second. */
  async function askedOfLibrary(published: (keys: Keys) => Keys, header = {}): Promise<number[]> {
    switchEngine('node');
    const verify = vi.spyOn(crypto.subtle, 'verify');
    const fake = fakeProvider();
    fake.misbehave({ jwks: { json: ({ keys }) => ({ keys: published(keys as Keys) }) }, idToken: { header } });
    const app = scene(door, { providers: [oidc(fake)] });
    const counts: number[] = [];
    for (const _ of ['first', 'second']) {
      verify.mockClear();
      expect(startsSession(await app.signIn(fake))).toBe(true);
      counts.push(verify.mock.calls.length);
    }
    return counts;
  }

  it.each<[string, object]>([
    ['another name', { kid: 'another' }],
    ['another type', { kty: 'RSA' }],
    ['another curve', { crv: 'P-384' }],
    ['another algorithm', { alg: 'ES384' }],
    ['another use', { use: 'enc' }],
    ['another operation', { key_ops: ['sign'] }],
  ])('proves the next signature alone, beside one of %s', async (_, member) => {
    expect(await askedOfLibrary((keys) => [{ ...keys[0], ...member }, ...keys])).toEqual([1, 0]);
  });

  it('proves the next signature alone where neither it nor the token says more than it must', async () => {
    const bare = ({ kty, crv, x, y }: Record<string, unknown>) => ({ kty, crv, x, y });
    expect(await askedOfLibrary((keys) => keys.map(bare), { kid: undefined })).toEqual([1, 0]);
    expect(await askedOfLibrary((keys) => keys, { kid: undefined })).toEqual([1, 0]);
  });

  it('proves the next signature alone where it says that it is for that', async () => {
    const told = { use: 'sig', key_ops: ['verify'], alg: 'ES256' };
    expect(await askedOfLibrary((keys) => keys.map((key) => ({ ...key, ...told })))).toEqual([1, 0]);
  });

  it('proves nothing where another one may be meant', async () => {
    expect(await askedOfLibrary((keys) => [...keys, ...keys], { kid: undefined })).toEqual([1, 1]);
  });

  it('is read once', async () => {
    switchEngine('node');
    const read = vi.spyOn(nodeCrypto, 'createPublicKey');
    const { fake, app } = await experienced();
    for (const _ of ['once', 'twice']) expect(startsSession(await app.signIn(fake))).toBe(true);
    expect(read).toHaveBeenCalledOnce();
  });

  it('is read again where that has failed', async () => {
    switchEngine('node');
    const { fake, app } = await experienced();
    const read = vi.spyOn(engine(), 'verifier').mockRejectedValueOnce(new Error('half of the program is missing'));
    await expectNobody({ fake, app });
    expect(startsSession(await app.signIn(fake))).toBe(true);
    expect(read).toHaveBeenCalledTimes(2);
  });
});

describe('signing keys that prove nothing', () => {
  it('are told in the log by the code of the protocol library where it alone knows the algorithm', async () => {
    const fake = fakeProvider();
    fake.misbehave({ discovery: { json: { id_token_signing_alg_values_supported: ['ES256', 'ML-DSA-44'] } } });
    const app = scene(door, { providers: [oidc(fake)] });
    expect(startsSession(await app.signIn(fake))).toBe(true);
    const renamed = (token: string) => token.replace(/^[^.]+/, btoa('{"alg":"ML-DSA-44"}').replaceAll('=', ''));
    fake.misbehave({ idToken: { token: renamed, claims: (claims) => ({ ...claims, at_hash: undefined }) } });
    await expectNobody({ fake, app });
    expect(app.log.errors[0]?.cause).toMatchObject({ code: 'OAUTH_KEY_SELECTION_FAILED' });
  });

  it.each([
    [new Error('no connection'), /^no connection$/],
    [null, /that is no Error$/],
  ])('are told in the log by why they cannot be fetched: %s', async (failure, message) => {
    const fake = fakeProvider();
    const fetching: typeof fetch = (input, init) =>
      String(input) === fake.endpoints.jwks ? Promise.reject(failure) : fake.fetch(input, init);
    const app = scene(door, { providers: [oidc(fake, { [customFetch]: fetching })] });
    await expectNobody({ fake, app });
    expect(app.log.errors[0]?.cause?.err?.message).toMatch(message);
  });
});

describe('signing keys that node:crypto cannot use', () => {
  it('prove the next signature by WebCrypto, and no other', async () => {
    switchEngine('node');
    const { fake, app } = await experienced();
    // As workerd does with a key object among options.
    const verify = vi.spyOn(nodeCrypto, 'verify').mockImplementation(() => {
      throw new TypeError('The "options.key" property must be of type string');
    });
    expect(startsSession(await app.signIn(fake))).toBe(true);
    fake.misbehave({ idToken: { sign: 'wrong-key' } });
    await expectNobody({ fake, app });
    expect(verify).toHaveBeenCalled();
  });
});
