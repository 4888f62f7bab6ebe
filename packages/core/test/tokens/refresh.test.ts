import { customFetch } from '@latchkey/core';
import { tokensOf } from '@latchkey/core/tokens';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { expired, get, rewriteEntry, type Scene, type SceneOptions, signedIn, tokensIn, unavailable } from './scene.ts';

afterEach(() => {
  vi.useRealTimers();
});

/** The functions of a server that has not loaded the provider's metadata. */
function anotherServer({ app, provider }: Scene) {
  const ownFetch: typeof fetch = (input, init) => provider.fetch(input, init);
  return tokensOf({ ...app.config, providers: [{ ...provider.provider(), [customFetch]: ownFetch }] }, {});
}

describe('a refresh that fails', () => {
  it('marks the entry as refused, once, and reports it', async () => {
    const scene = await expired();
    scene.provider.misbehave({ token: { status: 400, body: '{"error":"invalid_grant"}' } });
    const errors = await Promise.all([unavailable(get(scene)), unavailable(get(scene))]);
    expect(errors.map(({ code }) => code)).toEqual(['revoked', 'revoked']);
    expect(await unavailable(get(scene))).toMatchObject({ code: 'revoked', remedy: 'sign-in' });
    expect(scene.refreshes()).toHaveLength(1);
    expect(scene.app.events.filter(([name]) => name === 'tokensLost')).toEqual([
      ['tokensLost', { userId: scene.userId, provider: 'fake', providerAccountId: 'ada-1815', code: 'revoked' }],
    ]);
    expect(await scene.jobs().list({ userId: scene.userId })).toMatchObject([{ state: 'refused' }]);
    scene.provider.behave();
    await scene.app.signIn();
    expect(await scene.jobs().list({ userId: scene.userId })).toMatchObject([{ state: 'active' }]);
  });

  it.each([
    ['500', { status: 500 }],
    ['429', { status: 429, headers: { 'retry-after': '120' } }],
    ['a lost connection', { throw: true }],
    ['a body without end', { endless: true }],
  ] as const)('waits after %s', async (kind, fault) => {
    const scene = await expired();
    scene.provider.misbehave({ token: fault });
    const retryAfter = kind === '429' ? 120 : 5;
    expect(await unavailable(get(scene))).toMatchObject({ code: 'provider-unavailable', remedy: 'retry', retryAfter });
    expect(await unavailable(get(scene))).toMatchObject({ code: 'provider-unavailable' });
    expect(scene.refreshes()).toHaveLength(1);
    scene.later(retryAfter);
    expect(await unavailable(get(scene))).toMatchObject({ retryAfter: kind === '429' ? 120 : 10 });
    expect(scene.refreshes()).toHaveLength(2);
  });

  it('waits also if the lease cannot be released: it ends by itself', async () => {
    const scene = await expired();
    scene.provider.misbehave({ token: { throw: true } });
    const { lease } = scene.vault;
    vi.spyOn(scene.vault, 'lease').mockImplementation(async (...args) => {
      if (args[3] === 0) throw new Error('down');
      return lease(...args);
    });
    expect(await unavailable(get(scene))).toMatchObject({ code: 'provider-unavailable' });
  });

  it('ends its wait with the first success', async () => {
    const scene = await expired();
    scene.provider.misbehave({ token: { throw: true, times: 1 } });
    await unavailable(get(scene));
    scene.later(5);
    expect(await get(scene)).toMatchObject({ accessToken: expect.any(String) });
    scene.later(3601);
    scene.provider.misbehave({ token: { throw: true, times: 1 } });
    expect(await unavailable(get(scene))).toMatchObject({ retryAfter: 5 });
  });

  it('waits while the metadata of the provider cannot be loaded, and takes no lease', async () => {
    const scene = await expired();
    const requests = (): number => scene.provider.requests.filter(({ endpoint }) => endpoint === 'discovery').length;
    const jobs = anotherServer(scene);
    scene.provider.misbehave({ discovery: { throw: true } });
    const before = requests();
    for (let count = 0; count < 2; count++) {
      const error = await unavailable(jobs.get('fake', { userId: scene.userId }));
      expect(error).toMatchObject({ code: 'provider-unavailable', retryAfter: 5 });
    }
    expect(requests()).toBe(before + 1);
    expect(scene.vault.calls.filter(({ step }) => step === 'lease')).toEqual([]);
    expect(scene.app.log.errors).toMatchObject([
      { code: 'provider-unavailable', provider: 'fake', retryAfter: 5, cause: { err: expect.any(Error) } },
    ]);
  });

  it('returns the old token until it expires', async () => {
    const scene = await signedIn();
    scene.later(3550);
    scene.provider.misbehave({ token: { status: 500 } });
    expect(await get(scene)).toMatchObject({ accessToken: (await tokensIn(scene, scene.entry))?.accessToken });
    expect(scene.refreshes()).toHaveLength(1);
    scene.later(60);
    expect(await unavailable(get(scene))).toMatchObject({ code: 'provider-unavailable' });
  });

  it.each([
    ['another OAuth error', { token: { status: 401, body: '{"error":"invalid_client"}' } }],
    ['a page', { token: { body: '<h1>hello</h1>' } }],
    ['another user', { idToken: { claims: { sub: 'eve' } } }],
    ['another issuer', { idToken: { claims: { iss: 'https://evil.test' } } }],
    ['another audience', { idToken: { claims: { aud: 'other' } } }],
    ['a wrong signature', { idToken: { sign: 'wrong-key' } }],
    ['a token of another type', { token: { json: { token_type: 'mac' } } }],
  ] as const)('refuses %s', async (_, misbehavior) => {
    const scene = await expired();
    const before = scene.entry;
    scene.provider.misbehave(misbehavior as object);
    expect(await unavailable(get(scene))).toMatchObject({ code: 'provider-refused', remedy: 'fix' });
    expect(scene.entry).toEqual(before);
    expect(scene.app.log.errors).toMatchObject([{ code: 'provider-refused', provider: 'fake', retryAfter: 5 }]);
    expect([...scene.vault.rows.values()][0]?.lease).toBeUndefined();
  });

  it('gives the new tokens if the vault fails after the call, and writes them later', async () => {
    const scene = await expired();
    scene.vault.fail('write', { times: Number.POSITIVE_INFINITY });
    const before = scene.entry?.version ?? 0;
    vi.useRealTimers();
    vi.useFakeTimers({ toFake: ['Date'], now: scene.clock.now(), shouldAdvanceTime: true });
    const { accessToken } = await get(scene);
    expect(scene.refreshes()).toHaveLength(1);
    expect(scene.entry?.version).toBe(before);
    expect(scene.app.log.errors.at(-1)).toMatchObject({
      code: 'store-unavailable',
      provider: 'fake',
      message: expect.stringContaining('refreshed tokens could not be stored. They are kept for 60 seconds'),
    });
    expect((await get(scene)).accessToken).toBe(accessToken);
    scene.vault.recover();
    expect((await get(scene)).accessToken).toBe(accessToken);
    expect(scene.entry?.version).toBe(before + 1);
    expect(scene.refreshes()).toHaveLength(1);
    expect(scene.app.events.filter(([name]) => name === 'tokensRefreshed')).toHaveLength(1);
    expect(scene.adapter.dump().accounts).toMatchObject([{ access_token: accessToken }]);
  });

  it('repeats a write that fails, without a word in the log', async () => {
    const scene = await expired();
    const before = scene.entry?.version ?? 0;
    scene.vault.fail('write', { times: 2 });
    const { accessToken } = await get(scene);
    expect((await tokensIn(scene, scene.entry))?.accessToken).toBe(accessToken);
    expect(scene.entry?.version).toBe(before + 1);
    expect(scene.app.log.types()).toEqual([]);
  });

  /** A refresh after which the new tokens could not be stored. */
  async function unstored(options?: SceneOptions) {
    const scene = await expired(options);
    vi.useRealTimers();
    vi.useFakeTimers({ toFake: ['Date'], now: scene.clock.now(), shouldAdvanceTime: true });
    const write = vi.spyOn(scene.vault, 'write').mockResolvedValue(false);
    const { accessToken } = await get(scene);
    write.mockRestore();
    return { scene, accessToken };
  }

  it('gives the new tokens if the vault does not replace the version that it has', async () => {
    const { scene, accessToken } = await unstored();
    const [error] = scene.app.log.errors;
    expect(String(Reflect.get(error?.cause ?? {}, 'err'))).toContain('refuses to replace the version that it has');
    expect((await get(scene)).accessToken).toBe(accessToken);
    expect((await tokensIn(scene, scene.entry))?.accessToken).toBe(accessToken);
    expect(scene.refreshes()).toHaveLength(1);
  });

  it('does not write tokens later that another process has replaced', async () => {
    const { scene } = await unstored();
    await rewriteEntry(scene, { accessToken: 'of another', issuedAt: Date.now(), expiresAt: Date.now() + 3600_000 });
    expect(await get(scene)).toMatchObject({ accessToken: 'of another' });
    expect(await tokensIn(scene, scene.entry)).toMatchObject({ accessToken: 'of another' });
  });

  it('gives the new tokens if the KMS cannot seal them', async () => {
    let isDown = false;
    const wrap = (key: Uint8Array): string => {
      if (isDown) throw new Error('down');
      return Buffer.from(key).toString('hex');
    };
    const unwrap = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'hex'));
    const scene = await expired({ tokens: { kms: { wrap, unwrap } } });
    vi.useRealTimers();
    vi.useFakeTimers({ toFake: ['Date'], now: scene.clock.now(), shouldAdvanceTime: true });
    isDown = true;
    const { accessToken } = await get(scene);
    const [error] = scene.app.log.errors;
    expect(String(Reflect.get(error?.cause ?? {}, 'err'))).toContain('the tokens could not be sealed');
    isDown = false;
    expect((await get(scene)).accessToken).toBe(accessToken);
    expect((await tokensIn(scene, scene.entry))?.accessToken).toBe(accessToken);
  });

  it('recognizes a write whose answer was lost', async () => {
    const scene = await expired();
    scene.vault.fail('write', 'after');
    const { accessToken } = await get(scene);
    expect((await tokensIn(scene, scene.entry))?.accessToken).toBe(accessToken);
    expect(scene.refreshes()).toHaveLength(1);
  });

  it.each(['find', 'lease'] as const)('sends no request if the vault fails in %s', async (step) => {
    const scene = await expired();
    scene.vault.fail(step);
    expect(await unavailable(get(scene))).toMatchObject({ code: 'store-unavailable', remedy: 'retry' });
    expect(scene.refreshes()).toHaveLength(0);
    expect(await get(scene)).toMatchObject({ accessToken: expect.any(String) });
  });
});
