import { DEFAULT_SECRET, type IdTokenFault, type IdTokenOverride, idTokenFaults } from '@latchkey/testing';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { doors } from './doors.ts';
import { expectRefused, fakeProvider, oidc, scene, startsSession } from './scene.ts';

afterEach(() => {
  vi.useRealTimers();
});

const more: Record<string, IdTokenOverride> = {
  trailingSlash: { claims: (claims) => ({ ...claims, iss: `${claims.iss}/` }) },
  emptySubject: { claims: (claims) => ({ ...claims, sub: '' }) },
  numberAsSubject: { claims: (claims) => ({ ...claims, sub: 7 }) },
  expiryAsText: { claims: (claims) => ({ ...claims, exp: String(claims.exp) }) },
  issuedTomorrow: { claims: (claims) => ({ ...claims, iat: Number(claims.iat) + 86_400 }) },
  singleAudienceOtherAzp: { claims: (claims) => ({ ...claims, azp: 'another-client' }) },
  logoutToken: { claims: (claims) => ({ ...claims, events: {} }) },
  accessToken: { header: (header) => ({ ...header, typ: 'at+jwt' }) },
  emptySignature: { token: (token) => token.slice(0, token.lastIndexOf('.') + 1) },
  cutSignature: { token: (token) => token.slice(0, -6) },
  noSignature: { token: (token) => token.slice(0, token.lastIndexOf('.')) },
  tampered: {
    token: (token) => {
      const [header, , signature] = token.split('.');
      const claims = JSON.stringify({ iss: 'https://idp.test', sub: 'victim', aud: 'client', iat: 1, exp: 9e9 });
      return `${header}.${btoa(claims).replaceAll('=', '')}.${signature}`;
    },
  },
  empty: { token: () => '' },
  embeddedKey: {
    sign: 'wrong-key',
    header: (header) => ({ ...header, jwk: { kty: 'EC', crv: 'P-256', x: 'x', y: 'y' }, jku: 'https://evil.example' }),
  },
};

describe.each(doors)('the ID token through $name', (door) => {
  it.each(Object.keys({ ...idTokenFaults, ...more }))('is refused with the fault %s', async (fault) => {
    const fake = fakeProvider();
    const app = scene(door, { providers: [oidc(fake, { checks: ['pkce', 'state', 'nonce'] })] });
    fake.overrides.idToken = idTokenFaults[fault as IdTokenFault] ?? more[fault];
    expectRefused(app, await app.signIn(fake), 'OAuthCallbackError');
    expect(app.log.types()).toEqual(['OAuthCallbackError']);
    expect(fake.requests.every(({ url }) => url.startsWith(fake.issuer))).toBe(true);
    delete fake.overrides.idToken;
    expect(startsSession(await app.signIn(fake))).toBe(true);
  });

  it.each([
    ['typ', 'accessToken'],
    ['events', 'logoutToken'],
    ['sub', 'emptySubject'],
    ['azp', 'singleAudienceOtherAzp'],
    ['iat', 'issuedTomorrow'],
    ['at_hash', 'badAtHash'],
    ['c_hash', 'badCHash'],
  ])('is refused for its %s, and the log says so', async (claim, fault) => {
    const fake = fakeProvider();
    const app = scene(door, { providers: [oidc(fake)] });
    fake.overrides.idToken = more[fault] ?? idTokenFaults[fault as IdTokenFault];
    await app.signIn(fake);
    expect(app.log.errors[0]?.message).toMatch(`the ID token was refused: ${claim}`);
    expect(app.log.errors[0]?.cause).toMatchObject({ provider: 'fake', claim });
  });

  it('may come with an unrequested nonce from nobody', async () => {
    const fake = fakeProvider();
    const app = scene(door, { providers: [oidc(fake)] });
    fake.overrides.idToken = { claims: (claims) => ({ ...claims, nonce: 'planted' }) };
    expectRefused(app, await app.signIn(fake), 'OAuthCallbackError');
  });

  it.each([
    ['one audience in a list', (claims: Readonly<Record<string, unknown>>) => ({ ...claims, aud: [claims.aud] })],
    [
      'several audiences and our azp',
      (claims: Readonly<Record<string, unknown>>) => ({ ...claims, aud: [claims.aud, 'b'], azp: claims.aud }),
    ],
    [
      'a clock that is 20 seconds ahead',
      (claims: Readonly<Record<string, unknown>>) => ({ ...claims, iat: Number(claims.iat) + 20 }),
    ],
    ['no at_hash', (claims: Readonly<Record<string, unknown>>) => ({ ...claims, at_hash: undefined })],
  ])('is accepted with %s', async (_, claims) => {
    const fake = fakeProvider();
    const app = scene(door, { providers: [oidc(fake)] });
    fake.overrides.idToken = { claims };
    expect(startsSession(await app.signIn(fake))).toBe(true);
  });

  it.each([
    [30, true],
    [31, false],
  ])('may be of a clock that is %i seconds ahead: %s', async (ahead, isAccepted) => {
    const fake = fakeProvider();
    const app = scene(door, { providers: [oidc(fake)] });
    const now = Math.floor(app.clock.now().getTime() / 1000);
    app.clock.set(new Date(now * 1000));
    fake.overrides.idToken = { claims: (claims) => ({ ...claims, iat: now + ahead }) };
    expect(startsSession(await app.signIn(fake))).toBe(isAccepted);
  });

  it.each(['RS256', 'ES256', 'EdDSA'] as const)('is verified with %s', async (signingAlgorithm) => {
    const fake = fakeProvider({ signingAlgorithm });
    const app = scene(door, { providers: [oidc(fake)] });
    expect(startsSession(await app.signIn(fake))).toBe(true);
    expect(fake.count('jwks')).toBe(1);
    fake.overrides.idToken = { sign: 'wrong-key' };
    expect(startsSession(await app.signIn(fake, { browser: app.visitor() }))).toBe(false);
  });

  it('with HS256 counts only where the configuration names it', async () => {
    const fake = fakeProvider({ signingAlgorithm: 'HS256' });
    const silent = scene(door, { providers: [oidc(fake)] });
    expectRefused(silent, await silent.signIn(fake), 'OAuthCallbackError');
    const client = { id_token_signed_response_alg: 'HS256' };
    const named = scene(door, { providers: [oidc(fake, { client })] });
    expect(startsSession(await named.signIn(fake))).toBe(true);
    const other = scene(door, { providers: [oidc(fake, { client })] });
    fake.overrides.idToken = {
      token: (token) => `${token.slice(0, token.lastIndexOf('.'))}.${'A'.repeat(43)}`,
    };
    expectRefused(other, await other.signIn(fake), 'OAuthCallbackError');
    expect(other.log.errors[0]?.message).toMatch('the ID token was refused: signature');
    expect(other.log.errors[0]?.cause).toMatchObject({ provider: 'fake', claim: 'signature' });
  });

  it('is verified with the keys at `jwks_endpoint` where all endpoints are configured', async () => {
    const fake = fakeProvider();
    const { authorization, token, jwks } = fake.endpoints;
    const app = scene(door, {
      providers: [
        oidc(fake, { authorization, token, jwks_endpoint: jwks, client: { id_token_signed_response_alg: 'ES256' } }),
      ],
    });
    expect(startsSession(await app.signIn(fake))).toBe(true);
    expect(fake.count('discovery')).toBe(0);
    expect(fake.count('jwks')).toBe(1);
    fake.overrides.idToken = { sign: 'wrong-key' };
    expect(startsSession(await app.signIn(fake, { browser: app.visitor() }))).toBe(false);
  });

  it('of a provider that publishes no keys is taken from its TLS connection, with one warning', async () => {
    const fake = fakeProvider();
    fake.overrides.discovery = (metadata) => ({ ...metadata, jwks_uri: undefined });
    const app = scene(door, { providers: [oidc(fake)] });
    expect(startsSession(await app.signIn(fake))).toBe(true);
    expect(startsSession(await app.signIn(fake))).toBe(true);
    expect(app.log.warnings).toEqual([['id-token-not-verified', 'provider: fake']]);
  });

  it('is verified after the keys have changed, before and in the middle of a sign-in', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const fake = fakeProvider();
    const app = scene(door, { providers: [oidc(fake)] });
    await app.signIn(fake);
    await fake.rotateKeys({ keepOld: false });
    vi.setSystemTime(Date.now() + 61_000);
    app.clock.set(new Date());
    expect(startsSession(await app.signIn(fake))).toBe(true);
    expect(fake.count('jwks')).toBe(2);
    vi.setSystemTime(Date.now() + 61_000);
    app.clock.set(new Date());
    const started = await app.begin();
    const back = await fake.authorize(started.location ?? '');
    await fake.rotateKeys({ keepOld: false });
    expect(startsSession(await app.finish(back))).toBe(true);
    expect(fake.count('jwks')).toBe(3);
  });

  it('with made-up key ids makes no storm of requests', async () => {
    const fake = fakeProvider();
    const app = scene(door, { providers: [oidc(fake)] });
    await app.signIn(fake);
    fake.overrides.idToken = idTokenFaults.unknownKeyId;
    for (let count = 0; count < 5; count++) await app.signIn(fake);
    expect(fake.count('jwks')).toBe(1);
  });

  it.each([
    ['down', { throw: true as const }],
    ['answering garbage', { body: 'garbage' }],
    ['publishing 101 keys', { body: { keys: Array.from({ length: 101 }, () => ({ kty: 'EC' })) } }],
  ])('is refused while its keys are %s, and accepted afterwards', async (_, fault) => {
    const fake = fakeProvider();
    const app = scene(door, { providers: [oidc(fake)] });
    fake.faults.jwks = { ...fault, times: 1 };
    expectRefused(app, await app.signIn(fake), 'OAuthCallbackError');
    expect(startsSession(await app.signIn(fake))).toBe(true);
  });

  it('is checked by the clock of the request', async () => {
    const fake = fakeProvider({ now: () => app.clock.now() });
    const app = scene(door, { providers: [oidc(fake)] });
    app.clock.advance(365 * 86_400);
    expect(startsSession(await app.signIn(fake))).toBe(true);
  });

  it('makes nobody of a secret that signs for the provider', async () => {
    const fake = fakeProvider();
    fake.overrides.idToken = { sign: 'client-secret' };
    const app = scene(door, { providers: [oidc(fake, { clientSecret: DEFAULT_SECRET })] });
    expectRefused(app, await app.signIn(fake), 'OAuthCallbackError');
  });
});
