import type { AdapterAccount } from '@latchkey/core/adapters';
import { tokensOf } from '@latchkey/core/tokens';
import type { AuthConfig, TokenVault, VaultEntry } from '@latchkey/core/types';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { settingsFor } from '../../src/config/settings.ts';
import { sealEntry } from '../../src/tokens/entry.ts';
import { get, type Scene, signedIn, storedTokens, tokensIn, unavailable } from './scene.ts';

afterEach(() => {
  vi.useRealTimers();
});

/** Adds entries like that of the user, of other accounts. */
async function addEntries(scene: Scene, count: number): Promise<void> {
  const tokens = await storedTokens(scene);
  for (let index = 0; index < count; index++) {
    const entry = await sealEntry(settingsFor(scene.app.config), { ...tokens, account: `account ${index}` }, null);
    await scene.vault.write(entry, null);
  }
}

describe('the rows of `accounts`', () => {
  it('are taken over by the first call', async () => {
    const scene = await signedIn();
    const before = await tokensIn(scene, scene.entry);
    await scene.vault.remove(scene.entry as VaultEntry);
    expect((await get(scene)).accessToken).toBe(before?.accessToken);
    expect(scene.vault.dump()).toHaveLength(1);
    expect(await tokensIn(scene, scene.entry)).toEqual({ ...before, issuedAt: 0 });
  });

  it('are asked again if the adapter fails, and a refresh does not need them', async () => {
    const scene = await signedIn();
    await scene.vault.remove(scene.entry as VaultEntry);
    scene.adapter.fail('listAccountsByUserId');
    expect(await unavailable(get(scene))).toMatchObject({
      code: 'store-unavailable',
      remedy: 'retry',
      message: expect.stringContaining('could not be taken over'),
    });
    expect(await get(scene)).toMatchObject({ accessToken: expect.any(String) });
    scene.later(3601);
    scene.adapter.fail('getAccount');
    scene.adapter.fail('updateAccount');
    expect(await get(scene)).toMatchObject({ accessToken: expect.any(String) });
    expect(scene.app.log.types()).toEqual(['TokensUnavailable', 'AdapterError', 'AdapterError']);
    expect(scene.app.log.errors.at(-1)).toMatchObject({
      message: expect.stringContaining('the token columns of an account could not be written'),
      cause: { provider: 'fake', err: expect.any(Error) },
    });
  });

  it('are imported by a job, and replace no entry', async () => {
    const scene = await signedIn();
    const [row] = scene.adapter.dump().accounts;
    if (!row) throw new Error('no row');
    expect(await scene.jobs().import({ ...row, userId: scene.userId })).toBe(false);
    await scene.vault.remove(scene.entry as VaultEntry);
    expect(await scene.jobs().import({ ...row, userId: scene.userId })).toBe(true);
    expect(await scene.jobs().list({ userId: scene.userId })).toMatchObject([{ state: 'active' }]);
  });

  it('are written again by `rewrite`, under the newest secret', async () => {
    const scene = await signedIn();
    const old = scene.app.config.secret as string;
    const next = 'another-secret-of-more-than-32-characters';
    const config = { ...scene.app.config, secret: [next, old] };
    expect(await tokensOf(config, {}).rewrite()).toEqual({ written: 1, unreadable: 0 });
    const alone = { ...scene.app.config, secret: next };
    expect(await tokensOf(alone, {}).get('fake', { userId: scene.userId })).toMatchObject({
      scopes: expect.any(Array),
    });
    expect(await scene.jobs().rewrite()).toEqual({ written: 0, unreadable: 1 });
  });

  it('are written again also if their provider is not configured any more', async () => {
    const scene = await signedIn();
    const before = scene.entry?.version ?? 0;
    expect(await tokensOf({ ...scene.app.config, providers: [] }, {}).rewrite()).toEqual({ written: 1, unreadable: 0 });
    expect(scene.entry?.version).toBe(before + 1);
    expect(scene.app.log.types()).toEqual([]);
  });

  async function moved(change: (row: Record<string, unknown>) => object): Promise<Scene> {
    const scene = await signedIn();
    const [row] = scene.adapter.dump().accounts;
    scene.later(3601);
    await scene.adapter.updateAccount?.({ ...row, ...change(row as never) } as never);
    return scene;
  }
  const soon = (seconds: number): number => Math.floor(Date.now() / 1000) + seconds;

  it('with newer tokens, but without a refresh token, keep the stored one', async () => {
    const scene = await moved(() => ({
      access_token: 'newer',
      refresh_token: null,
      id_token: null,
      expires_at: soon(99),
    }));
    const { refreshToken, subject } = await storedTokens(scene);
    expect(await get(scene)).toMatchObject({ accessToken: 'newer' });
    expect(await storedTokens(scene)).toMatchObject({ refreshToken, subject });
    expect(scene.refreshes()).toHaveLength(0);
  });

  it.each([
    [999, 'of a refresh', 1],
    [1000, 'newer', 0],
  ])('are newer if they expire %i ms later: the token is %s', async (difference, accessToken, requests) => {
    const tokens = { access_token: 'of a refresh', expires_in: 3600, token_type: 'bearer' };
    const request = vi.fn(async () => ({ tokens }));
    const scene = await signedIn({ entry: { refresh: { request } } });
    const { expiresAt = 0 } = await storedTokens(scene);
    const [row] = scene.adapter.dump().accounts;
    const expires_at = (expiresAt + difference) / 1000;
    scene.adapter.getAccount = async () => ({ ...row, access_token: 'newer', expires_at }) as AdapterAccount;
    scene.later((expiresAt - Date.now()) / 1000);
    expect(await get(scene, { minTtl: 0 })).toMatchObject({ accessToken });
    expect(request).toHaveBeenCalledTimes(requests);
  });

  it.each<[string, (row: Record<string, unknown>) => object]>([
    ['are not newer', ({ expires_at }) => ({ access_token: 'other', expires_at })],
    ['have no token', () => ({ access_token: null, expires_at: soon(99) })],
    ['have no expiry', () => ({ access_token: 'other', expires_at: null })],
  ])('are not used if they %s', async (_, change) => {
    const scene = await moved(change);
    expect((await get(scene)).accessToken).not.toBe('other');
    expect(scene.refreshes()).toHaveLength(1);
  });

  it('of another user are not used', async () => {
    const scene = await signedIn();
    scene.later(3601);
    const [row] = scene.adapter.dump().accounts;
    const newer = { ...row, userId: 'eve', access_token: "eve's token", expires_at: soon(99) };
    scene.adapter.getAccount = async () => newer as AdapterAccount;
    expect((await get(scene)).accessToken).not.toBe("eve's token");
    expect(scene.refreshes()).toHaveLength(1);
  });

  it.each<[string, (adapter: Scene['adapter']) => AuthConfig['adapter']]>([
    ['a missing one', (adapter) => ({ ...adapter, getAccount: async () => null })],
    ['an adapter that cannot read them', ({ getAccount: _, ...adapter }) => adapter],
  ])('are not necessary for a refresh: %s', async (_, changed) => {
    const scene = await signedIn();
    scene.later(3601);
    scene.app.config.adapter = changed(scene.adapter);
    expect(await get(scene)).toMatchObject({ accessToken: expect.any(String) });
    expect(scene.refreshes()).toHaveLength(1);
    expect(scene.app.log.types()).toEqual([]);
  });

  it('are not read with `accountColumns: clear`', async () => {
    const scene = await signedIn({ tokens: { accountColumns: 'clear' } });
    scene.later(3601);
    const getAccount = vi.fn(async () => null);
    scene.adapter.getAccount = getAccount;
    expect(await get(scene)).toMatchObject({ accessToken: expect.any(String) });
    expect(getAccount).not.toHaveBeenCalled();
  });

  it('are imported by their columns: texts as numbers, and the configured scopes', async () => {
    const scene = await signedIn({ withoutAdapter: false });
    const { userId } = scene;
    await scene.vault.remove({ provider: 'fake', providerAccountId: 'ada-1815' });
    const row = { provider: 'fake', providerAccountId: 'ada-1815', userId, access_token: 'of the row' };
    for (const bad of [undefined, null, '', 7]) {
      expect(await scene.jobs().import({ ...row, access_token: bad as never })).toBe(false);
    }
    const expires_at = soon(600);
    expect(await scene.jobs().import({ ...row, expires_at: String(expires_at) as never, refresh_token: '' })).toBe(
      true,
    );
    expect(await get(scene)).toEqual({
      accessToken: 'of the row',
      expiresAt: new Date(expires_at * 1000),
      scopes: ['openid', 'profile', 'email'],
    });
    scene.later(601);
    await expect(get(scene)).rejects.toMatchObject({ code: 'no-refresh-token' });
  });

  it.each([null, 0, '', 'soon'])('are imported without an expiry if it is %j', async (expires_at) => {
    const scene = await signedIn();
    const { userId } = scene;
    const key = { provider: 'fake', providerAccountId: 'ada-1815' };
    await scene.vault.remove(key);
    const row = { ...key, userId, access_token: 'of the row', id_token: '', scope: 'openid', expires_at } as never;
    expect(await scene.jobs().import(row)).toBe(true);
    expect(await get(scene)).toEqual({ accessToken: 'of the row', expiresAt: null, scopes: ['openid'] });
  });

  it('are taken over for the accounts of the provider only', async () => {
    const scene = await signedIn();
    const [row] = scene.adapter.dump().accounts;
    const { userId } = scene;
    await scene.vault.remove({ provider: 'fake', providerAccountId: 'ada-1815' });
    const rows = [
      { ...row, provider: 'other', access_token: 'of another provider' },
      { ...row, providerAccountId: 'without tokens', access_token: null },
    ];
    const list = vi.fn(async () => rows as AdapterAccount[]);
    scene.adapter.listAccountsByUserId = list;
    await expect(get(scene)).rejects.toMatchObject({ code: 'no-account' });
    list.mockResolvedValue([...rows, row] as AdapterAccount[]);
    expect(await get(scene)).toMatchObject({ accessToken: row?.access_token });
    expect(list).toHaveBeenLastCalledWith(userId);
    expect(scene.vault.dump()).toHaveLength(1);
  });

  it('are cleared after they were taken over, with `accountColumns: clear`', async () => {
    const scene = await signedIn();
    await scene.vault.remove({ provider: 'fake', providerAccountId: 'ada-1815' });
    const jobs = tokensOf({ ...scene.app.config, tokens: { store: scene.vault, accountColumns: 'clear' } }, {});
    await jobs.get('fake', { userId: scene.userId });
    expect(scene.adapter.dump().accounts).toMatchObject([{ access_token: null, refresh_token: null }]);
  });

  it('are left alone if another process has taken them over at the same time', async () => {
    const scene = await signedIn();
    const tokens = await storedTokens(scene);
    await scene.vault.remove({ provider: 'fake', providerAccountId: 'ada-1815' });
    const newer = await sealEntry(settingsFor(scene.app.config), { ...tokens, accessToken: 'of another' }, null);
    vi.spyOn(scene.vault, 'write').mockImplementationOnce(async () => {
      await scene.vault.write(newer, null);
      return false;
    });
    const updateAccount = vi.spyOn(scene.adapter, 'updateAccount');
    expect(await get(scene)).toMatchObject({ accessToken: 'of another' });
    expect(updateAccount).not.toHaveBeenCalled();
  });

  it('are taken over for at most 50 accounts', async () => {
    const scene = await signedIn();
    const [row] = scene.adapter.dump().accounts;
    await scene.vault.remove({ provider: 'fake', providerAccountId: 'ada-1815' });
    const rows = Array.from({ length: 51 }, (_, index) => ({ ...row, providerAccountId: `account ${index}` }));
    scene.adapter.listAccountsByUserId = async () => rows as AdapterAccount[];
    await expect(get(scene)).rejects.toMatchObject({ code: 'several-accounts' });
    expect(scene.vault.dump()).toHaveLength(50);
  });

  it('are not taken over with an adapter that cannot list them', async () => {
    const scene = await signedIn();
    await scene.vault.remove({ provider: 'fake', providerAccountId: 'ada-1815' });
    const { listAccountsByUserId: _, ...adapter } = scene.adapter;
    const jobs = tokensOf({ ...scene.app.config, adapter } as AuthConfig, {});
    await expect(jobs.get('fake', { userId: scene.userId })).rejects.toMatchObject({ code: 'no-account' });
  });
});

describe('rewrite', () => {
  it('writes all pages of entries', async () => {
    const scene = await signedIn();
    await addEntries(scene, 200);
    const before = scene.vault.dump().map(({ version }) => version);
    expect(await scene.jobs().rewrite()).toEqual({ written: 201, unreadable: 0 });
    expect(scene.vault.dump().map(({ version }) => version)).toEqual(before.map((version) => version + 1));
    const scans = scene.vault.calls.filter(({ step }) => step === 'scan').map(({ args }) => args);
    expect(scans).toEqual([
      [null, 100],
      [expect.objectContaining({ provider: 'fake' }), 100],
      [expect.objectContaining({ provider: 'fake' }), 100],
    ]);
  });

  it('tries an entry again that was written meanwhile, and leaves one that was removed', async () => {
    const scene = await signedIn();
    const write = vi.spyOn(scene.vault, 'write').mockResolvedValueOnce(false);
    expect(await scene.jobs().rewrite()).toEqual({ written: 1, unreadable: 0 });
    expect(write).toHaveBeenCalledTimes(2);
    write.mockImplementationOnce(async (entry) => {
      await scene.vault.remove(entry);
      return false;
    });
    expect(await scene.jobs().rewrite()).toEqual({ written: 1, unreadable: 0 });
    expect(scene.vault.dump()).toEqual([]);
  });

  it('fails after ten tries for an entry', async () => {
    const scene = await signedIn();
    const write = vi.spyOn(scene.vault, 'write').mockResolvedValue(false);
    await expect(scene.jobs().rewrite()).rejects.toThrow('refused to write an entry 10 times. Call `rewrite()` again');
    expect(write).toHaveBeenCalledTimes(10);
  });

  it('needs a vault that can list its entries', async () => {
    const scene = await signedIn();
    const { read, find, lease, write, remove } = scene.vault;
    const store: TokenVault = { read, find, lease, write, remove };
    const jobs = tokensOf({ ...scene.app.config, tokens: { store } }, {});
    await expect(jobs.rewrite()).rejects.toThrow('the token vault cannot list its entries');
  });

  it('leaves the columns alone for which the entry has no value', async () => {
    const scene = await signedIn();
    const settings = settingsFor(scene.app.config);
    const { version = 0 } = scene.entry ?? {};
    const none = { refreshToken: undefined, idToken: undefined, expiresAt: undefined };
    await scene.vault.write(await sealEntry(settings, { ...(await storedTokens(scene)), ...none }, version), version);
    const updateAccount = vi.spyOn(scene.adapter, 'updateAccount');
    await scene.jobs().rewrite();
    expect(Object.keys(updateAccount.mock.calls[0]?.[0] ?? {}).sort()).toEqual(
      ['access_token', 'provider', 'providerAccountId', 'scope', 'type', 'userId'].sort(),
    );
  });

  it('fills the columns again after a change back to `keep`', async () => {
    const scene = await signedIn({ tokens: { accountColumns: 'clear' } });
    const { accessToken, refreshToken, idToken, expiresAt = 0 } = await storedTokens(scene);
    expect(scene.adapter.dump().accounts).toMatchObject([{ access_token: null }]);
    await tokensOf({ ...scene.app.config, tokens: { store: scene.vault } }, {}).rewrite();
    expect(scene.adapter.dump().accounts).toMatchObject([
      {
        access_token: accessToken,
        refresh_token: refreshToken,
        id_token: idToken,
        expires_at: expiresAt / 1000,
        scope: 'openid profile email',
        type: 'oidc',
      },
    ]);
  });
});
