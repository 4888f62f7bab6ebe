import { tokensOf } from '@latchkey/core/tokens';
import type { VaultEntry } from '@latchkey/core/types';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { expired, get, rewriteEntry, type Scene, tokensIn, unavailable } from './scene.ts';

afterEach(() => {
  vi.useRealTimers();
});

describe('a refresh while the entry changes', () => {
  /** Does something while the provider answers. */
  async function during(scene: Scene, work: () => Promise<unknown>) {
    scene.provider.misbehave({ token: { delay: 1500, times: 1 } });
    const token = get(scene).catch((error: unknown) => error);
    await vi.waitFor(() => expect(scene.refreshes()).toHaveLength(1));
    await work();
    return token;
  }

  it('uses the tokens of a sign-in', async () => {
    const scene = await expired();
    let issued: string | undefined;
    const token = await during(scene, async () => {
      await scene.app.signIn({ browser: scene.app.visitor() });
      issued = (await tokensIn(scene, scene.entry))?.accessToken;
    });
    expect(token).toMatchObject({ accessToken: issued });
    expect((await tokensIn(scene, scene.entry))?.accessToken).toBe(issued);
    expect(scene.refreshes()).toHaveLength(1);
    expect(scene.vault.dump()).toHaveLength(1);
  });

  it('does not bring a removed entry back, and revokes the new tokens', async () => {
    const revoked: string[] = [];
    const entry = { revocation: ({ token }: { token: string }) => void revoked.push(token) };
    const scene = await expired({ entry });
    const token = await during(scene, () => scene.vault.remove(scene.entry as VaultEntry));
    expect(token).toMatchObject({ code: 'no-account' });
    expect(scene.vault.dump()).toEqual([]);
    expect(revoked).toHaveLength(1);
  });

  it.each([
    ['', {}],
    [' after a refresh of its own', { refreshToken: 'another' }],
  ])('writes over an entry that another process has marked as refused%s', async (_, members) => {
    const scene = await expired();
    const token = await during(scene, () => rewriteEntry(scene, { ...members, isRefused: true }));
    expect(token).toMatchObject({ accessToken: (await tokensIn(scene, scene.entry))?.accessToken });
    expect((await tokensIn(scene, scene.entry))?.isRefused).toBe(false);
  });

  it('does not write over an entry that it cannot open', async () => {
    const scene = await expired();
    const other = { ...scene.app.config, secret: 'another-secret-of-more-than-32-characters' };
    const token = await during(scene, () => rewriteEntry(scene, {}, other));
    expect(token).toMatchObject({ code: 'unreadable' });
    expect(scene.app.log.errors).toMatchObject([{ code: 'unreadable' }]);
  });

  it('uses the tokens of a sign-in if the provider refuses the older refresh token', async () => {
    const scene = await expired();
    const refused = { status: 400, body: '{"error":"invalid_grant"}' };
    scene.provider.misbehave({ token: { ...refused, delay: 300, times: 1 } });
    const token = get(scene);
    await vi.waitFor(() => expect(scene.refreshes()).toHaveLength(1));
    await rewriteEntry(scene, {
      accessToken: 'of a sign-in',
      refreshToken: 'another',
      expiresAt: Date.now() + 3600_000,
    });
    const writes = (): number => scene.vault.calls.filter(({ step }) => step === 'write').length;
    const before = writes();
    expect(await token).toMatchObject({ accessToken: 'of a sign-in' });
    expect(writes()).toBe(before);
    expect(await scene.jobs().list({ userId: scene.userId })).toMatchObject([{ state: 'active' }]);
    expect(scene.app.events.filter(([name]) => name === 'tokensLost')).toEqual([]);
  });

  it('fails if the provider refuses the older refresh token, and the KMS does not open the newer entry', async () => {
    const unwrap = (): Promise<Uint8Array> => Promise.reject(new Error('down'));
    const kms = { wrap: async (key: Uint8Array) => Buffer.from(key).toString('hex'), unwrap };
    const scene = await expired();
    const { vault: store } = scene;
    const jobs = tokensOf({ ...scene.app.config, tokens: { store, kms } }, {});
    const refused = { status: 400, body: '{"error":"invalid_grant"}' };
    scene.provider.misbehave({ token: { ...refused, delay: 300, times: 1 } });
    const token = jobs.get('fake', { userId: scene.userId });
    const error = unavailable(token);
    await vi.waitFor(() => expect(scene.refreshes()).toHaveLength(1));
    const other = { ...scene.app.config, tokens: { store, kms: { ...kms } } };
    await rewriteEntry(scene, { refreshToken: 'another' }, other);
    expect(await error).toMatchObject({ code: 'store-unavailable', provider: 'fake', remedy: 'retry' });
  });

  it('does not report a refusal if another process has written the entry at the same time', async () => {
    const scene = await expired();
    scene.provider.misbehave({ token: { status: 400, body: '{"error":"invalid_grant"}', times: 1 } });
    const newer = { accessToken: 'of another', refreshToken: 'next', expiresAt: Date.now() + 3600_000 };
    const { write } = scene.vault;
    vi.spyOn(scene.vault, 'write').mockImplementationOnce(async () => {
      scene.vault.write = write;
      await rewriteEntry(scene, newer);
      return false;
    });
    expect(await get(scene)).toMatchObject({ accessToken: 'of another' });
    expect(scene.app.events.filter(([name]) => name === 'tokensLost')).toEqual([]);
  });

  it('uses the tokens that another process writes shortly after the refusal', async () => {
    const scene = await expired();
    scene.provider.misbehave({ token: { status: 400, body: '{"error":"invalid_grant"}', times: 1 } });
    const token = get(scene);
    await vi.waitFor(() => expect(scene.vault.calls.at(-1)?.step).toBe('read'));
    await rewriteEntry(scene, { accessToken: 'of another', refreshToken: 'next', expiresAt: Date.now() + 3600_000 });
    expect(await token).toMatchObject({ accessToken: 'of another' });
    expect(scene.app.events.filter(([name]) => name === 'tokensLost')).toEqual([]);
  });

  it('does not give its tokens to the user to whom the account moves meanwhile', async () => {
    let moved: Promise<unknown> | undefined;
    const tokensRefreshed = async (): Promise<void> => {
      if (moved) return;
      await rewriteEntry(scene, { userId: 'eve', expiresAt: Date.now() - 1 });
      moved = unavailable(get(scene, { userId: 'eve' }));
      await new Promise((resolve) => setTimeout(resolve, 100));
    };
    const scene = await expired({ config: { events: { tokensRefreshed } } });
    expect(await get(scene)).toMatchObject({ accessToken: expect.any(String) });
    expect(await moved).toMatchObject({ code: 'no-account', provider: 'fake' });
  });

  it('uses the tokens of another process without a request or a pause', async () => {
    const scene = await expired();
    vi.spyOn(scene.vault, 'lease').mockImplementationOnce(async () => {
      const now = Date.now();
      await rewriteEntry(scene, { accessToken: 'of another', issuedAt: now - 30_000, expiresAt: now + 3600_000 });
      return false;
    });
    expect(await get(scene)).toMatchObject({ accessToken: 'of another' });
    expect(scene.refreshes()).toHaveLength(0);
    expect(await get(scene, { rejected: 'of another' })).toMatchObject({
      accessToken: expect.not.stringMatching('of'),
    });
    expect(scene.app.log.types()).toEqual([]);
  });

  it('keeps the new refresh token if `rewrite` has written the old one again', async () => {
    const scene = await expired();
    const before = (await tokensIn(scene, scene.entry))?.refreshToken;
    const token = await during(scene, () => scene.jobs().rewrite());
    const stored = await tokensIn(scene, scene.entry);
    expect(token).toMatchObject({ accessToken: stored?.accessToken });
    expect(stored?.refreshToken).not.toBe(before);
    expect(scene.refreshes()).toHaveLength(1);
  });

  it('uses the tokens in the `accounts` row if Auth.js has stored newer ones', async () => {
    const scene = await expired();
    const [row] = scene.adapter.dump().accounts;
    const expires_at = Math.floor(Date.now() / 1000) + 3600;
    if (row)
      await scene.adapter.updateAccount?.({ ...row, access_token: 'of Auth.js', refresh_token: 'next', expires_at });
    expect(await get(scene)).toMatchObject({ accessToken: 'of Auth.js' });
    expect(scene.refreshes()).toHaveLength(0);
    expect(await tokensIn(scene, scene.entry)).toMatchObject({ refreshToken: 'next' });
  });
});
