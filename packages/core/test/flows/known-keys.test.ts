import nodeCrypto from 'node:crypto';
import type { FakeProvider, FakeProviderOptions } from '@latchkey/testing';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type EngineKind, switchEngine } from '../../src/crypto/engine.ts';
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

  it('are no excuse for a token of another algorithm', async () => {
    switchEngine(kind);
    const { fake, app } = await experienced();
    fake.misbehave({ idToken: { sign: 'public-key' } });
    await expectNobody({ fake, app });
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
