import { DEFAULT_SECRET, type IdTokenFault, type IdTokenOverride, idTokenFaults } from '@latchkey/testing';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { oneDoor } from './doors.ts';
import { expectRefused, fakeProvider, later, oidc, oidcScene, scene, startsSession } from './scene.ts';

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

describe.each(oneDoor)('the ID token through $name', (door) => {
  it.each(Object.keys({ ...idTokenFaults, ...more }))('is refused with the fault %s', async (fault) => {
    const { app, fake } = oidcScene(door, { checks: ['pkce', 'state', 'nonce'] });
    fake.overrides.idToken = idTokenFaults[fault as IdTokenFault] ?? more[fault];
    expectRefused(app, await app.signIn(fake), 'OAuthCallbackError');
    expect(app.log.types()).toEqual(['OAuthCallbackError']);
    expect(fake.requests.every(({ url }) => url.startsWith(fake.issuer))).toBe(true);
    delete fake.overrides.idToken;
    expect(startsSession(await app.signIn(fake))).toBe(true);
  });

  /** Signs in after 100 seconds at the provider, with further claims. */
  async function signInLater(params: Record<string, unknown>, claims: (start: number) => object) {
    const { app, fake } = oidcScene(door, { authorization: { params } });
    const start = Math.floor(app.clock.now().getTime() / 1000);
    const { location } = await app.begin();
    await later(app, 100);
    fake.overrides.idToken = { claims: (own) => ({ ...own, iat: start + 100, exp: start + 900, ...claims(start) }) };
    return { app, page: await app.finish(await fake.authorize(location ?? '')) };
  }

  it.each([
    ['at the start', 0, '0'],
    ['at the end of the limit, with the tolerance', -90, '60'],
    ['during the sign-in', 90, 60],
  ])('is accepted if the visitor authenticated %s', async (_, offset, max_age) => {
    const { page } = await signInLater({ max_age }, (start) => ({ auth_time: start + offset }));
    expect(startsSession(page)).toBe(true);
  });

  it.each([
    ['tells an older authentication than `max_age` allows', (start: number) => ({ auth_time: start - 91 })],
    [
      'does not tell when the visitor authenticated, although `max_age` is configured',
      () => ({ auth_time: undefined }),
    ],
  ])('is refused if it %s', async (_, claims) => {
    const { app, page } = await signInLater({ max_age: 60 }, claims);
    expectRefused(app, page, 'OAuthCallbackError');
    expect(app.log.errors[0]?.message).toContain('although `max_age` is 60.');
    expect(app.log.errors[0]?.cause).toMatchObject({ provider: 'fake', claim: 'auth_time' });
  });

  it.each([
    ['gold', 'gold'],
    ['silver gold', 'gold'],
    ['idp:employees tenant:7', undefined],
    ['idp:employees gold', 'gold'],
  ])('is accepted with one of the `acr_values` %j: %j', async (acr_values, acr) => {
    const { page } = await signInLater({ acr_values }, () => ({ acr }));
    expect(startsSession(page)).toBe(true);
  });

  it.each([
    ['gold', 'silver'],
    ['gold', undefined],
    ['gold', ['gold']],
    ['silver gold', 'silver gold'],
    ['idp:employees gold', 'idp:employees'],
  ])('is refused if the `acr_values` are %j and its `acr` is %j', async (acr_values, acr) => {
    const { app, page } = await signInLater({ acr_values }, () => ({ acr }));
    expectRefused(app, page, 'OAuthCallbackError');
    expect(app.log.errors[0]?.message).toContain('Add every class that you accept');
    expect(app.log.errors[0]?.cause).toMatchObject({ provider: 'fake', claim: 'acr' });
  });

  it.each([
    ['typ', 'accessToken'],
    ['events', 'logoutToken'],
    ['sub', 'emptySubject'],
    ['azp', 'singleAudienceOtherAzp'],
    ['at_hash', 'badAtHash'],
    ['c_hash', 'badCHash'],
  ])('is refused for its %s, and the log says so', async (claim, fault) => {
    const { app, fake } = oidcScene(door);
    fake.overrides.idToken = more[fault] ?? idTokenFaults[fault as IdTokenFault];
    await app.signIn(fake);
    expect(app.log.errors[0]?.message).toMatch(`the ID token was refused: ${claim}`);
    expect(app.log.errors[0]?.cause).toMatchObject({ provider: 'fake', claim });
  });

  it('is refused with a nonce that was not requested', async () => {
    const { app, fake } = oidcScene(door);
    fake.overrides.idToken = { claims: (claims) => ({ ...claims, nonce: 'planted' }) };
    expectRefused(app, await app.signIn(fake), 'OAuthCallbackError');
  });

  it.each([
    ['one audience in a list', (claims: Readonly<Record<string, unknown>>) => ({ ...claims, aud: [claims.aud] })],
    [
      'several audiences and our azp',
      (claims: Readonly<Record<string, unknown>>) => ({ ...claims, aud: [claims.aud, 'b'], azp: claims.aud }),
    ],
    ['no at_hash', (claims: Readonly<Record<string, unknown>>) => ({ ...claims, at_hash: undefined })],
  ])('is accepted with %s', async (_, claims) => {
    const { app, fake } = oidcScene(door);
    fake.overrides.idToken = { claims };
    expect(startsSession(await app.signIn(fake))).toBe(true);
  });

  it.each([
    ['exp', -29, true],
    ['exp', -30, false],
    ['nbf', 30, true],
    ['nbf', 31, false],
    ['iat', 30, true],
    ['iat', 31, false],
  ])('whose %s is %i seconds off counts: %s', async (claim, off, counts) => {
    // A whole second, which does not pass between the claim and its check.
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-22T12:00:00Z') });
    const { app, fake } = oidcScene(door);
    fake.misbehave({ idToken: { claims: { [claim]: app.clock.now().getTime() / 1000 + off } } });
    const page = await app.signIn(fake);
    if (counts) expect(startsSession(page)).toBe(true);
    else {
      expectRefused(app, page, 'OAuthCallbackError');
      const words = {
        exp: 'expired 30 s ago',
        nbf: 'becomes valid only in 31 s',
        iat: 'was issued 31 s in the future',
      }[claim];
      expect(app.log.errors[0]?.message).toContain(
        `provider "fake": the ID token ${words} (allowed: 30 s). Check the clocks of this server and of the provider.`,
      );
    }
  });

  it.each([
    [3597, '3597 s ahead of'],
    [-95, '95 s behind'],
  ])('of a provider whose clock is %i seconds off names the clock', async (off, where) => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-22T12:00:00Z') });
    const { app, fake } = oidcScene(door);
    const there = app.clock.now().getTime() + off * 1000;
    fake.misbehave({ idToken: { claims: { iat: there / 1000, exp: there / 1000 + 60 } } });
    fake.faults.token = { headers: { date: new Date(there).toUTCString() } };
    expectRefused(app, await app.signIn(fake), 'OAuthCallbackError');
    expect(app.log.errors[0]?.message).toContain(
      `By its Date header the provider's clock is ${where} this server. Check this server's time.`,
    );
  });

  it.each([
    ['are unavailable', { throw: true as const }],
    ['are not JSON', { body: 'garbage' }],
  ])('is refused while the keys %s, and accepted afterwards', async (_, fault) => {
    const { app, fake } = oidcScene(door);
    fake.faults.jwks = { ...fault, times: 1 };
    expectRefused(app, await app.signIn(fake), 'OAuthCallbackError');
    expect(startsSession(await app.signIn(fake))).toBe(true);
  });

  it.each([
    [100, true],
    [101, false],
  ])('is verified with a set of %i keys: %s', async (count, isVerified) => {
    const { app, fake } = oidcScene(door);
    const others = Array.from({ length: count - 1 }, (_, n) => ({ kty: 'oct', kid: `other-${n}`, k: 'c2VjcmV0' }));
    fake.misbehave({ jwks: { json: ({ keys }) => ({ keys: [...(keys as object[]), ...others] }) } });
    expect(startsSession(await app.signIn(fake))).toBe(isVerified);
  });

  it.each(['RS256', 'ES256', 'EdDSA'] as const)('is verified with %s', async (signingAlgorithm) => {
    const fake = fakeProvider({ signingAlgorithm });
    const app = scene(door, { providers: [oidc(fake)] });
    expect(startsSession(await app.signIn(fake))).toBe(true);
    expect(fake.count('jwks')).toBe(1);
    fake.overrides.idToken = { sign: 'wrong-key' };
    expect(startsSession(await app.signIn(fake, { browser: app.visitor() }))).toBe(false);
  });

  it('is accepted with HS256 only if the configuration names that algorithm', async () => {
    const fake = fakeProvider({ signingAlgorithm: 'HS256' });
    const silent = scene(door, { providers: [oidc(fake, { client: {} })] });
    expectRefused(silent, await silent.signIn(fake), 'OAuthCallbackError');
    const client = { id_token_signed_response_alg: 'HS256' };
    const named = scene(door, { providers: [oidc(fake, { client })] });
    expect(startsSession(await named.signIn(fake))).toBe(true);
    for (const change of [() => 'A'.repeat(43), (signature: string) => signature.slice(0, 40), () => '']) {
      const other = scene(door, { providers: [oidc(fake, { client })] });
      fake.overrides.idToken = {
        token: (token) => token.replace(/[^.]*$/, change),
      };
      expectRefused(other, await other.signIn(fake), 'OAuthCallbackError');
      expect(other.log.errors[0]?.message).toMatch('the ID token was refused: signature');
      expect(other.log.errors[0]?.cause).toMatchObject({ provider: 'fake', claim: 'signature' });
    }
  });

  it('is verified with the keys at `jwks_endpoint` if all endpoints are configured', async () => {
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

  it('of a provider that publishes no keys is trusted because of TLS, with one warning', async () => {
    const { app, fake } = oidcScene(door);
    fake.overrides.discovery = (metadata) => ({ ...metadata, jwks_uri: undefined });
    expect(startsSession(await app.signIn(fake))).toBe(true);
    expect(startsSession(await app.signIn(fake))).toBe(true);
    expect(app.log.warnings).toEqual([['id-token-not-verified', 'provider: fake']]);
  });

  it('is verified after the keys have changed, before or during a sign-in', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const { app, fake } = oidcScene(door);
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

  it('with unknown key ids causes few requests', async () => {
    const { app, fake } = oidcScene(door);
    await app.signIn(fake);
    fake.overrides.idToken = idTokenFaults.unknownKeyId;
    for (let count = 0; count < 5; count++) await app.signIn(fake);
    expect(fake.count('jwks')).toBe(1);
  });

  it('is checked against the clock of the request', async () => {
    const fake = fakeProvider({ now: () => app.clock.now() });
    const app = scene(door, { providers: [oidc(fake)] });
    app.clock.advance(365 * 86_400);
    expect(startsSession(await app.signIn(fake))).toBe(true);
  });

  it('is refused if it is signed with the client secret', async () => {
    const { app, fake } = oidcScene(door, { clientSecret: DEFAULT_SECRET });
    fake.overrides.idToken = { sign: 'client-secret' };
    expectRefused(app, await app.signIn(fake), 'OAuthCallbackError');
  });
});
