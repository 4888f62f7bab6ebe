import { tokensOf } from '@latchkey/core/tokens';
import type { VaultEntry } from '@latchkey/core/types';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { settingsFor } from '../../src/config/settings.ts';
import { sealEntry } from '../../src/tokens/entry.ts';
import { expired, get, signedIn, tokensIn, unavailable } from './scene.ts';

afterEach(() => {
  vi.useRealTimers();
});

describe('get', () => {
  it('returns a fresh token with one call of the vault', async () => {
    const scene = await signedIn();
    const before = scene.vault.calls.length;
    const requests = scene.provider.requests.length;
    expect(await get(scene)).toEqual({
      accessToken: (await tokensIn(scene, scene.entry))?.accessToken,
      expiresAt: new Date(Math.floor(scene.clock.now().getTime() / 1000) * 1000 + 3600_000),
      scopes: ['openid', 'profile', 'email'],
      idToken: expect.stringMatching(/^ey/),
    });
    expect(scene.vault.calls.slice(before).map(({ step }) => step)).toEqual(['find']);
    expect(scene.provider.requests).toHaveLength(requests);
  });

  it('refreshes an expired token once for 200 calls', async () => {
    const scene = await expired();
    const before = scene.entry;
    const calls = scene.vault.calls.length;
    const tokens = await Promise.all(Array.from({ length: 200 }, () => get(scene)));
    expect(scene.refreshes()).toHaveLength(1);
    const steps = scene.vault.calls.slice(calls).map(({ step }) => step);
    expect(steps.filter((step) => step !== 'find')).toEqual(['lease', 'write']);
    expect(new Set(tokens.map(({ accessToken }) => accessToken)).size).toBe(1);
    expect(scene.entry?.version).toBe((before?.version ?? 0) + 1);
    expect(scene.app.events.filter(([name]) => name === 'tokensRefreshed')).toEqual([
      ['tokensRefreshed', { userId: scene.userId, provider: 'fake', providerAccountId: 'ada-1815' }],
    ]);
  });

  it('keeps the rotated refresh token', async () => {
    const scene = await expired();
    await get(scene);
    scene.later(3601);
    const { expiresAt } = await get(scene);
    expect(Number(expiresAt)).toBeGreaterThan(Date.now());
    expect(new Set(scene.refreshes().map((form) => form.get('refresh_token'))).size).toBe(2);
  });

  it('keeps the stored refresh token and scopes if the response lacks them', async () => {
    const scene = await expired();
    const before = await tokensIn(scene, scene.entry);
    scene.provider.misbehave({ token: { json: { refresh_token: undefined, scope: undefined, id_token: undefined } } });
    await get(scene);
    const after = await tokensIn(scene, scene.entry);
    expect(after).toMatchObject({
      refreshToken: before?.refreshToken,
      scopes: before?.scopes,
      idToken: before?.idToken,
    });
    expect(after?.accessToken).not.toBe(before?.accessToken);
  });

  it('updates the token columns of the account', async () => {
    const scene = await expired();
    const { accessToken, expiresAt } = await get(scene);
    const [row] = scene.adapter.dump().accounts;
    expect(row).toMatchObject({ access_token: accessToken, expires_at: Math.floor(Number(expiresAt) / 1000) });
  });

  it("sets the token columns to null with accountColumns: 'clear'", async () => {
    const scene = await expired({ tokens: { accountColumns: 'clear' } });
    const none = { access_token: null, refresh_token: null, id_token: null, expires_at: null };
    expect(scene.adapter.dump().accounts).toMatchObject([none]);
    await get(scene);
    expect(scene.adapter.dump().accounts).toMatchObject([none]);
  });

  it('requires granted scopes', async () => {
    const scene = await signedIn();
    expect(await get(scene, { scopes: ['email'] })).toMatchObject({ accessToken: expect.any(String) });
    expect(await unavailable(get(scene, { scopes: ['calendar'] }))).toMatchObject({
      code: 'missing-scopes',
      remedy: 'sign-in',
      provider: 'fake',
      scopes: ['openid', 'profile', 'email', 'calendar'],
    });
  });

  it('refreshes a rejected token, at most once in 30 s', async () => {
    const scene = await signedIn();
    const { accessToken: rejected } = await get(scene);
    expect((await get(scene, { rejected })).accessToken).toBe(rejected);
    scene.later(30);
    const [one, two] = await Promise.all([get(scene, { rejected }), get(scene, { rejected })]);
    expect(one.accessToken).not.toBe(rejected);
    expect(two.accessToken).toBe(one.accessToken);
    expect((await get(scene, { rejected })).accessToken).toBe(one.accessToken);
    expect(scene.refreshes()).toHaveLength(1);
  });

  it.each([
    ['another user', { userId: 'eve' }],
    ['another account', { account: 'eve' }],
  ])('has no tokens for %s', async (_, options) => {
    expect(await unavailable(get(await signedIn(), options))).toMatchObject({ code: 'no-account', remedy: 'sign-in' });
  });

  it('does not give the account of another user', async () => {
    const scene = await signedIn();
    const stolen = scene.jobs().get('fake', { userId: 'eve', account: 'ada-1815' });
    expect(await unavailable(stolen)).toMatchObject({ code: 'no-account', provider: 'fake' });
  });

  it('names the option `offline` if there is no refresh token', async () => {
    const error = await unavailable(get(await expired({ provider: { refreshTokens: false } })));
    expect(error).toMatchObject({ code: 'no-refresh-token', remedy: 'sign-in' });
    expect(error.message).toContain('`offline: true`');
  });

  it('requires the account if the user has several', async () => {
    const scene = await signedIn();
    const tokens = await tokensIn(scene, scene.entry);
    if (tokens)
      await scene.vault.write(
        await sealEntry(settingsFor(scene.app.config), { ...tokens, account: 'two' }, null),
        null,
      );
    expect(await unavailable(get(scene))).toMatchObject({ code: 'several-accounts', remedy: 'fix' });
    expect(await get(scene, { account: 'two' })).toMatchObject({ accessToken: tokens?.accessToken });
  });

  it.each([
    ['copied to another user', { userId: 'eve' }],
    ['copied to another account', { providerAccountId: 'eve' }],
    ['changed', { sealed: 'changed' }],
  ])('does not open an entry that was %s', async (_, members) => {
    const scene = await signedIn();
    const copy = { ...scene.entry, ...members, version: 1 } as VaultEntry;
    await scene.vault.remove(scene.entry as VaultEntry);
    await scene.vault.write(copy, null);
    expect(await unavailable(get(scene, { userId: copy.userId }))).toMatchObject({ code: 'unreadable' });
    expect(scene.app.log.types()).toEqual(['TokensUnavailable']);
  });

  it('does not use the tokens of another client id', async () => {
    const scene = await signedIn();
    const config = { ...scene.app.config, providers: [{ ...scene.provider.provider(), clientId: 'other' }] };
    const call = tokensOf(config, {}).get('fake', { userId: scene.userId });
    expect(await unavailable(call)).toMatchObject({ code: 'unreadable' });
  });

  it('reads entries under all secrets, and seals with the newest', async () => {
    const scene = await expired();
    const before = scene.app.config.secret as string;
    const config = { ...scene.app.config, secret: ['another-secret-of-more-than-32-characters', before] };
    await tokensOf(config, {}).get('fake', { userId: scene.userId });
    expect(await unavailable(get(scene))).toMatchObject({ code: 'unreadable' });
  });
});
