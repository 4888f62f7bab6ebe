import type { Change, Fault, SignedBy } from '@latchkey/testing';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { doors } from '../../flows/doors.ts';
import { expectRefused, fakeProvider, oidc, scene, startsSession } from '../../flows/scene.ts';

type Keys = { kid?: string }[];
afterEach(() => {
  vi.useRealTimers();
});

const keysOf = (right: Readonly<Record<string, unknown>>): Keys => right.keys as Keys;

describe.each(doors)('the keys of a provider, through $name', (door) => {
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
    const fake = fakeProvider();
    const app = scene(door, { providers: [oidc(fake)] });
    fake.misbehave({ jwks });
    expectRefused(app, await app.signIn(fake), 'OAuthCallbackError');
  });

  it.each(['none', { length: 1 }, null])('are kept when there is no list in their place, but %j', async (keys) => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const fake = fakeProvider();
    const app = scene(door, { providers: [oidc(fake)] });
    expect(startsSession(await app.signIn(fake))).toBe(true);
    fake.misbehave({ jwks: { json: { keys } } });
    vi.setSystemTime(Date.now() + 2 * 3600_000);
    app.clock.set(new Date());
    expect(startsSession(await app.signIn(fake, { browser: app.visitor() }))).toBe(true);
    expect(fake.count('jwks')).toBe(2);
  });

  it('that stand in the token itself, or where it points, are never asked', async () => {
    const fake = fakeProvider();
    const app = scene(door, { providers: [oidc(fake)] });
    fake.misbehave({ idToken: { sign: 'embedded-key' } });
    expectRefused(app, await app.signIn(fake), 'OAuthCallbackError');
    fake.misbehave({ idToken: { sign: 'embedded-key', header: { kid: undefined } } });
    expectRefused(app, await app.signIn(fake), 'OAuthCallbackError');
    expect(fake.requests.every(({ url }) => url.startsWith(`${fake.issuer}/`))).toBe(true);
  });
});
