import { createHmac } from 'node:crypto';
import type { Change, Fault, SignedBy } from '@latchkey/testing';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Door, doors } from '../../flows/doors.ts';
import { expectRefused, fakeProvider, oauth, oidc, scene, startsSession } from '../../flows/scene.ts';
import { site } from '../site.ts';

// Both doors share the code that reads a provider's response, and `flows/` uses both, so one door is enough here.
const [door] = doors as readonly [Door];

const seconds = (value: unknown): number => value as number;

/** Claims that are right but for one, and what becomes of them. The skew is 30 seconds. */
const claims: [string, Change, boolean][] = [
  ['expired 20 seconds ago', ({ iat, ...rest }) => ({ ...rest, iat, exp: seconds(iat) - 20 }), true],
  ['expired 40 seconds ago', ({ iat, ...rest }) => ({ ...rest, iat, exp: seconds(iat) - 40 }), false],
  ['valid in 20 seconds', ({ iat, ...rest }) => ({ ...rest, iat, nbf: seconds(iat) + 20 }), true],
  ['valid in 40 seconds', ({ iat, ...rest }) => ({ ...rest, iat, nbf: seconds(iat) + 40 }), false],
  ['issued in 40 seconds', ({ iat, ...rest }) => ({ ...rest, iat: seconds(iat) + 40 }), false],
  ['nbf as text', ({ iat, ...rest }) => ({ ...rest, iat, nbf: String(iat) }), false],
  ['iat as text', ({ iat, ...rest }) => ({ ...rest, iat: String(iat) }), false],
  ['iss as list', ({ iss, ...rest }) => ({ ...rest, iss: [iss] }), false],
  ['iss in capitals', ({ iss, ...rest }) => ({ ...rest, iss: String(iss).toUpperCase() }), false],
  ['aud as object', ({ aud, ...rest }) => ({ ...rest, aud: { aud } }), false],
  ['aud as empty list', { aud: [] }, false],
  ['aud in capitals', ({ aud, ...rest }) => ({ ...rest, aud: String(aud).toUpperCase() }), false],
  ['sub as list', ({ sub, ...rest }) => ({ ...rest, sub: [sub] }), false],
  ['nonce as list', ({ nonce, ...rest }) => ({ ...rest, nonce: [nonce] }), false],
  ['nonce in capitals', ({ nonce, ...rest }) => ({ ...rest, nonce: String(nonce).toUpperCase() }), false],
  ['at_hash of no text', { at_hash: true }, false],
  ['at_hash empty', { at_hash: '' }, false],
  ['c_hash of no text', { c_hash: null }, false],
  ['c_hash empty', { c_hash: '' }, false],
];

describe('an ID token', () => {
  it('that a plain provider sends unasked is checked as well where the issuer is known', async () => {
    const fake = fakeProvider();
    const authorization = { url: fake.endpoints.authorization, params: { scope: 'openid' } };
    const client = { id_token_signed_response_alg: 'ES256' };
    const app = scene(door, { providers: [oauth(fake, { issuer: fake.issuer, authorization, client })] });
    expect(startsSession(await app.signIn(fake, { id: 'plain' }))).toBe(true);
    fake.misbehave({ idToken: { claims: { iss: 'https://impostor.test' } } });
    const browser = app.visitor();
    expectRefused(app, await app.signIn(fake, { id: 'plain', browser }), 'OAuthCallbackError', browser);
  });

  it.each(claims)('with the claim "%s" is checked by the standard (%#)', async (_, change, accepted) => {
    const { fake, app } = site(door, { checks: ['pkce', 'nonce'] });
    fake.misbehave({ idToken: { claims: change } });
    const page = await app.signIn(fake);
    if (accepted) expect(startsSession(page)).toBe(true);
    else expectRefused(app, page, 'OAuthCallbackError');
  });

  it('names the code it came with: the right `c_hash` is accepted, that of another code is not', async () => {
    for (const right of [true, false]) {
      const { fake, app } = site(door);
      const back = await fake.authorize((await app.begin()).location ?? '');
      const code = right ? (new URL(back).searchParams.get('code') ?? '') : 'another-code';
      const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(code));
      const c_hash = Buffer.from(digest).subarray(0, 16).toString('base64url');
      fake.misbehave({ idToken: { claims: { c_hash } } });
      expect(startsSession(await app.finish(back))).toBe(right);
    }
  });

  it('that is encrypted is refused, because there is no agreed key', async () => {
    const { fake, app } = site(door);
    fake.misbehave({ idToken: { token: (token) => `${token}.AAAA.AAAA` } });
    expectRefused(app, await app.signIn(fake), 'OAuthCallbackError');
  });

  it('that was issued for one sign-in opens no other one', async () => {
    const { fake, app } = site(door, { checks: ['pkce', 'nonce'] });
    let first: string | undefined;
    fake.misbehave({ idToken: { token: (token) => (first ??= token) } });
    expect(startsSession(await app.signIn(fake))).toBe(true);
    const stranger = app.visitor();
    expectRefused(app, await app.signIn(fake, { browser: stranger }), 'OAuthCallbackError', stranger);
  });
});

describe('an ID token signed by HS256 with the empty key', () => {
  it.each([undefined, ''])('counts for nothing where the secret is %j', async (clientSecret) => {
    const fake = fakeProvider();
    const client = { token_endpoint_auth_method: 'none', id_token_signed_response_alg: 'HS256' };
    const app = scene(door, { providers: [oidc(fake, { clientSecret, client })] });
    const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const now = Math.floor(Date.now() / 1000);
    const claims = { iss: fake.issuer, aud: 'client', sub: 'victim', iat: now, exp: now + 60 };
    const data = `${encoded({ alg: 'HS256' })}.${encoded(claims)}`;
    const { location = '' } = await app.begin();
    const nonce = new URL(location).searchParams.get('nonce');
    expect(nonce).toBeNull();
    const id_token = `${data}.${createHmac('sha256', '').update(data).digest('base64url')}`;
    fake.faults.token = { body: { access_token: 'x', token_type: 'bearer', id_token } };
    const page = await app.finish(await fake.authorize(location));
    expect(startsSession(page)).toBe(false);
    expect(page.location).toMatch(/\/auth\/signin\?error=OAuthCallbackError(&|$)/);
  });
});

type Keys = { kid?: string }[];
afterEach(() => {
  vi.useRealTimers();
});

const keysOf = (right: Readonly<Record<string, unknown>>): Keys => right.keys as Keys;

describe('the keys of a provider', () => {
  it.each([1, 2, 5])('tell without a name in the token which one signed: %i published', async (count) => {
    const fake = fakeProvider();
    for (let more = 1; more < count; more += 1) await fake.rotateKeys();
    const app = scene(door, { providers: [oidc(fake)] });
    fake.misbehave({ idToken: { header: { kid: undefined } } });
    expect(startsSession(await app.signIn(fake))).toBe(true);
    fake.misbehave({ idToken: { header: { kid: undefined }, sign: 'wrong-key' } });
    const stranger = app.visitor();
    expectRefused(app, await app.signIn(fake, { browser: stranger }), 'OAuthCallbackError', stranger);
  });

  it.each<[string, Change]>([
    ['have no names themselves', (right) => ({ keys: keysOf(right).map(({ kid: _, ...key }) => key) })],
    ['all have the same name', (right) => ({ keys: keysOf(right).map((key) => ({ ...key, kid: 'same' })) })],
  ])('tell which one signed where they %s', async (how, json) => {
    const fake = fakeProvider();
    await fake.rotateKeys();
    await fake.rotateKeys();
    const app = scene(door, { providers: [oidc(fake)] });
    const named = (sign: SignedBy) => ({ sign, header: { kid: how.includes('same') ? 'same' : undefined } });
    fake.misbehave({ jwks: { json }, idToken: named('right-key') });
    expect(startsSession(await app.signIn(fake))).toBe(true);
    fake.misbehave({ idToken: named('wrong-key') });
    const stranger = app.visitor();
    expectRefused(app, await app.signIn(fake, { browser: stranger }), 'OAuthCallbackError', stranger);
  });

  it.each<[string, Fault]>([
    ['are for encryption', { json: (right) => ({ keys: keysOf(right).map((key) => ({ ...key, use: 'enc' })) }) }],
    ['may not verify', { json: (right) => ({ keys: keysOf(right).map((key) => ({ ...key, key_ops: ['sign'] })) }) }],
    [
      'are of another algorithm',
      { json: (right) => ({ keys: keysOf(right).map((key) => ({ ...key, alg: 'ES384' })) }) },
    ],
    ['are none', { json: { keys: [] } }],
    ['are no list', { json: { keys: {} } }],
    ['are no objects', { json: { keys: [null, 'key', 7] } }],
    ['are secrets', { json: { keys: [{ kty: 'oct', kid: 'key-1', alg: 'HS256', k: 'c2VjcmV0' }] } }],
    ['are too many', { json: (right) => ({ keys: Array.from({ length: 101 }, () => keysOf(right)[0]) }) }],
  ])('verify nothing when they %s', async (_, jwks) => {
    const { fake, app } = site(door);
    fake.misbehave({ jwks });
    expectRefused(app, await app.signIn(fake), 'OAuthCallbackError');
  });

  it.each(['none', { length: 1 }, null])('are kept when there is no list in their place, but %j', async (keys) => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const { fake, app } = site(door);
    expect(startsSession(await app.signIn(fake))).toBe(true);
    fake.misbehave({ jwks: { json: { keys } } });
    vi.setSystemTime(Date.now() + 2 * 3600_000);
    app.clock.set(new Date());
    expect(startsSession(await app.signIn(fake, { browser: app.visitor() }))).toBe(true);
    expect(fake.count('jwks')).toBe(2);
  });

  it('that stand in the token itself, or where it points, are never asked', async () => {
    const { fake, app } = site(door);
    fake.misbehave({ idToken: { sign: 'embedded-key' } });
    expectRefused(app, await app.signIn(fake), 'OAuthCallbackError');
    fake.misbehave({ idToken: { sign: 'embedded-key', header: { kid: undefined } } });
    expectRefused(app, await app.signIn(fake), 'OAuthCallbackError');
    expect(fake.requests.every(({ url }) => url.startsWith(`${fake.issuer}/`))).toBe(true);
  });
});
