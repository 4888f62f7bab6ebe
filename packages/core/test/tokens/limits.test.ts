import { TokensUnavailable } from '@latchkey/core/errors';
import { inspectConfig } from '@latchkey/core/inspection';
import { tokensOf } from '@latchkey/core/tokens';
import type { AuthConfig } from '@latchkey/core/types';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { settingsFor } from '../../src/config/settings.ts';
import { openEntry, sealEntry, type Tokens } from '../../src/tokens/entry.ts';
import { makeScene, type Scene, type SceneOptions } from './scene.ts';

afterEach(() => {
  vi.useRealTimers();
});

async function signedIn(options?: SceneOptions): Promise<Scene> {
  const scene = makeScene(options);
  await scene.app.signIn();
  return scene;
}

function get(scene: Scene, options = {}) {
  return scene.jobs().get('fake', { userId: scene.userId, ...options });
}

async function failure(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error: unknown) => error,
  );
}

async function storedTokens(scene: Scene): Promise<Tokens> {
  const opened = scene.entry && (await openEntry(settingsFor(scene.app.config), scene.entry));
  if (!opened) throw new Error('no entry');
  return opened.tokens;
}

/** Adds further entries like that of the user, of other accounts. */
async function addEntries(scene: Scene, count: number, own: (index: number) => Partial<Tokens>): Promise<void> {
  const settings = settingsFor(scene.app.config);
  const tokens = await storedTokens(scene);
  for (let index = 0; index < count; index++) {
    await scene.vault.write(
      await sealEntry(settings, { ...tokens, account: `account ${index}`, ...own(index) }, null),
      null,
    );
  }
}

describe('the limits of provider tokens', () => {
  it('may be 3600 seconds for the least validity', async () => {
    const scene = await signedIn();
    const problems = (minTtl: number) =>
      inspectConfig(
        { ...scene.app.config, tokens: { store: scene.vault, minTtl } } as AuthConfig,
        {},
        {
          origin: 'https://app.test',
          basePath: '/auth',
        },
      ).problems.length;
    expect([problems(0), problems(3600), problems(3601), problems(-1), problems(1.5)]).toEqual([0, 0, 1, 1, 1]);
    expect(await get(scene, { minTtl: 3600 })).toMatchObject({ accessToken: expect.any(String) });
    expect(await failure(get(scene, { minTtl: 3601 }))).toBeInstanceOf(TypeError);
  });

  it('may be 50 scopes with 2,048 characters', async () => {
    const scene = await signedIn();
    const many = (count: number) => Array.from({ length: count }, () => 'email');
    expect(await failure(get(scene, { scopes: many(50) }))).toBeUndefined();
    expect(await failure(get(scene, { scopes: many(51) }))).toBeInstanceOf(TypeError);
    expect(await failure(get(scene, { scopes: ['x'.repeat(2048)] }))).toBeInstanceOf(TokensUnavailable);
    expect(await failure(get(scene, { scopes: ['x'.repeat(2049)] }))).toBeInstanceOf(TypeError);
    const two = (length: number) => ['x'.repeat(1024), 'x'.repeat(length)];
    expect(await failure(get(scene, { scopes: two(1023) }))).toBeInstanceOf(TokensUnavailable);
    expect(await failure(get(scene, { scopes: two(1024) }))).toMatchObject({
      message: '`scopes` must be a list of at most 50 strings with 2048 characters in total',
    });
    for (const scopes of ['email', [7], ['email', 7]])
      expect(await failure(get(scene, { scopes }))).toBeInstanceOf(TypeError);
  });

  it('are about 32,768 characters of an entry', async () => {
    const scene = await signedIn();
    const settings = settingsFor(scene.app.config);
    const tokens = { ...(await storedTokens(scene)), idToken: undefined };
    const seal = (length: number) => sealEntry(settings, { ...tokens, accessToken: 'x'.repeat(length) }, null);
    expect((await seal(23_900)).sealed.length).toBeGreaterThan(32_000);
    await expect(seal(24_500)).rejects.toThrow(RangeError);
  });

  it('are 50 accounts of a user', async () => {
    const scene = await signedIn();
    await addEntries(scene, 51, () => ({}));
    expect(await scene.jobs().list({ userId: scene.userId })).toHaveLength(50);
  });

  it('do not keep a revocation from any account of a user', async () => {
    const scene = await signedIn();
    await addEntries(scene, 101, () => ({}));
    const { userId } = scene;
    expect(await scene.jobs().revoke('fake', { userId, account: 'account 100' })).toHaveLength(1);
    expect(await scene.jobs().revoke(undefined, { userId })).toHaveLength(101);
    expect(scene.vault.dump()).toEqual([]);
  });

  it('are 5 seconds for a step of the vault', async () => {
    const scene = await signedIn();
    vi.useFakeTimers();
    scene.vault.fail('find', { hang: true });
    let error: unknown;
    const done = failure(get(scene)).then((reason) => {
      error = reason;
    });
    await vi.advanceTimersByTimeAsync(4999);
    expect(error).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    await done;
    expect(error).toMatchObject({ code: 'store-unavailable' });
  });

  it('are 15 seconds of a lease, for which others wait 18 seconds', async () => {
    const scene = await signedIn();
    scene.later(3601);
    scene.vault.lease = async (...args) => {
      leases.push(args);
      return false;
    };
    const leases: unknown[][] = [];
    vi.useFakeTimers({ now: scene.clock.now() });
    let error: unknown;
    const done = failure(get(scene)).then((reason) => {
      error = reason;
    });
    await vi.advanceTimersByTimeAsync(1000);
    expect(leases.length, 'every 50 ms in the first second').toBeGreaterThan(15);
    await vi.advanceTimersByTimeAsync(16_900);
    expect(error).toBeUndefined();
    await vi.advanceTimersByTimeAsync(700);
    await done;
    expect(error).toMatchObject({ code: 'provider-unavailable', retryAfter: 5 });
    expect(scene.app.log.types(), 'the log of the process that refreshes has it').toEqual([]);
    expect(leases[0]?.[3]).toBe(15);
    expect(leases.length).toBeGreaterThan(60);
    expect(leases.length).toBeLessThan(110);
  });

  /** A provider whose refresh waits until it is released. */
  function waiting() {
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const request = async () => {
      await gate;
      return { tokens: { access_token: 'new', expires_in: 3600, token_type: 'bearer' as const } };
    };
    return { release, entry: { refresh: { request } } };
  }

  it('are 256 refreshes at a time', async () => {
    const { release, entry } = waiting();
    const scene = await signedIn({ entry });
    await addEntries(scene, 256, (index) => ({ userId: `user ${index}` }));
    scene.later(3601);
    const running = Array.from({ length: 256 }, (_, index) => get(scene, { userId: `user ${index}` }));
    await vi.waitFor(() => expect(scene.vault.calls.filter(({ step }) => step === 'lease')).toHaveLength(256));
    const before = scene.vault.calls.length;
    expect(await failure(get(scene))).toMatchObject({
      code: 'provider-unavailable',
      retryAfter: 1,
      scopes: ['openid', 'profile', 'email'],
    });
    expect(scene.vault.calls.slice(before).map(({ step }) => step)).toEqual(['find']);
    release();
    expect(await Promise.all(running)).toHaveLength(256);
    expect(await get(scene)).toMatchObject({ accessToken: 'new' });
  });

  it('do not let the refreshes of a provider that hangs block those of another one', async () => {
    const { release, entry } = waiting();
    const scene = await signedIn();
    const slow = { ...scene.provider.provider({ id: 'slow' }), ...entry };
    const jobs = tokensOf({ ...scene.app.config, providers: [...scene.app.config.providers, slow] }, {});
    await addEntries(scene, 257, (index) => ({ provider: 'slow', userId: `user ${index}` }));
    scene.later(3601);
    const running = Array.from({ length: 256 }, (_, index) => jobs.get('slow', { userId: `user ${index}` }));
    await vi.waitFor(() => expect(scene.vault.calls.filter(({ step }) => step === 'lease')).toHaveLength(256));
    expect(await failure(jobs.get('slow', { userId: 'user 256' }))).toMatchObject({ code: 'provider-unavailable' });
    expect(await jobs.get('fake', { userId: scene.userId })).toMatchObject({ accessToken: expect.any(String) });
    release();
    await Promise.all(running);
  });

  it('do not let the calls that wait for one refresh block those of another one', async () => {
    const { release, entry } = waiting();
    const scene = await signedIn({ entry });
    await addEntries(scene, 1, () => ({ userId: 'other' }));
    scene.later(3601);
    const running = Array.from({ length: 1000 }, () => get(scene));
    await vi.waitFor(() => expect(scene.vault.calls.filter(({ step }) => step === 'find')).toHaveLength(1000));
    await new Promise((resolve) => setTimeout(resolve, 50));
    const others = [get(scene, { userId: 'other' }), get(scene, { userId: 'other' })].map(failure);
    await vi.waitFor(() => expect(scene.vault.calls.filter(({ step }) => step === 'find')).toHaveLength(1002));
    await new Promise((resolve) => setTimeout(resolve, 50));
    release();
    expect(await Promise.all(others)).toEqual([undefined, undefined]);
    await Promise.all(running);
  });

  it('are 1,000 waiting calls', async () => {
    const { release, entry } = waiting();
    const scene = await signedIn({ entry });
    scene.later(3601);
    const running = Array.from({ length: 1001 }, () => failure(get(scene)));
    await vi.waitFor(() => expect(scene.vault.calls.filter(({ step }) => step === 'find')).toHaveLength(1001));
    await new Promise((resolve) => setTimeout(resolve, 50));
    release();
    const errors = (await Promise.all(running)).filter(Boolean);
    expect(errors).toMatchObject([{ code: 'provider-unavailable' }]);
    // They do not count any more.
    scene.later(3601);
    expect(await Promise.all([get(scene), get(scene)])).toMatchObject([{ accessToken: 'new' }, { accessToken: 'new' }]);
  });

  it('are 5 to 60 seconds of a back-off, and 300 of `Retry-After`', async () => {
    const scene = await signedIn();
    scene.later(3601);
    scene.provider.misbehave({ token: { throw: true } });
    const seconds: number[] = [];
    for (let count = 0; count < 6; count++) {
      const error = await failure(get(scene));
      seconds.push(error instanceof TokensUnavailable ? error.retryAfter : 0);
      scene.later((seconds.at(-1) ?? 0) - 1);
      const before = scene.refreshes().length;
      await failure(get(scene));
      expect(scene.refreshes()).toHaveLength(before);
      scene.later(1);
    }
    expect(seconds).toEqual([5, 10, 20, 40, 60, 60]);
    scene.provider.misbehave({ token: { status: 429, headers: { 'retry-after': '301' } } });
    expect(await failure(get(scene))).toMatchObject({ retryAfter: 300 });
  });

  it.each([
    [59, 1],
    [60, 2],
  ])(
    'are 60 seconds for tokens that were not written: after %i s, the provider has been asked %i times',
    async (later, times) => {
      const requests: string[] = [];
      const request = async ({ refreshToken }: { refreshToken: string }) => {
        requests.push(refreshToken);
        return { tokens: { access_token: `token ${requests.length}`, expires_in: 3600, token_type: 'bearer' } };
      };
      const scene = await signedIn({ entry: { refresh: { request } } });
      scene.later(3601);
      vi.useFakeTimers({ toFake: ['Date'], now: scene.clock.now(), shouldAdvanceTime: true });
      scene.vault.fail('write', { times: Number.POSITIVE_INFINITY });
      expect(await get(scene)).toMatchObject({ accessToken: 'token 1' });
      scene.vault.recover();
      vi.useRealTimers();
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
      vi.setSystemTime(Number(scene.clock.now()) + 2500 + later * 1000);
      // The write was repeated for about 2 seconds.
      await get(scene);
      expect(requests.length).toBeLessThanOrEqual(times);
      if (later === 60) expect(requests).toHaveLength(2);
    },
  );

  it('are 1,000 keys of a KMS, for 300 seconds', async () => {
    const keys: Uint8Array[] = [];
    const wrap = (key: Uint8Array): string => String(keys.push(Uint8Array.from(key)) - 1);
    const unwrap = vi.fn((name: string) => keys[Number(name)] ?? new Uint8Array());
    const scene = await signedIn({ tokens: { kms: { wrap, unwrap } } });
    await addEntries(scene, 1001, () => ({}));
    const settings = settingsFor(scene.app.config);
    const entries = scene.vault.dump();
    const open = async (index: number) => {
      const entry = entries[index];
      if (entry) await openEntry(settings, entry);
    };
    for (let index = 1; index < 1001; index++) await open(index);
    unwrap.mockClear();
    await open(1000);
    expect(unwrap).toHaveBeenCalledTimes(0);
    scene.later(299);
    await open(1000);
    expect(unwrap).toHaveBeenCalledTimes(0);
    await open(1001);
    await open(1);
    expect(unwrap).toHaveBeenCalledTimes(2);
    scene.later(1);
    await open(1000);
    expect(unwrap).toHaveBeenCalledTimes(3);
  });

  it('are 2 seconds for the keys of an ID token', async () => {
    const scene = await signedIn();
    const before = await storedTokens(scene);
    scene.later(3601);
    scene.provider.misbehave({ jwks: { delay: 'forever' } });
    const start = performance.now();
    expect(await get(scene)).toMatchObject({ idToken: before.idToken });
    expect(performance.now() - start).toBeGreaterThan(1900);
    expect((await storedTokens(scene)).accessToken).not.toBe(before.accessToken);
  });
});
