import type { AdapterAccount } from '@latchkey/core/adapters';
import { tokensOf } from '@latchkey/core/tokens';
import type { Account, AuthConfig, TokenVault } from '@latchkey/core/types';
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

async function stored(scene: Scene): Promise<Tokens> {
  const opened = scene.entry && (await openEntry(settingsFor(scene.app.config), scene.entry));
  if (!opened) throw new Error('the entry does not open');
  return opened.tokens;
}

/** Adds entries like that of the user, of other accounts. */
async function addEntries(scene: Scene, count: number): Promise<void> {
  const tokens = await stored(scene);
  for (let index = 0; index < count; index++) {
    const entry = await sealEntry(settingsFor(scene.app.config), { ...tokens, account: `account ${index}` }, null);
    await scene.vault.write(entry, null);
  }
}

describe('a sign-in', () => {
  it('without a refresh token keeps the stored one, also in the columns', async () => {
    const scene = await signedIn();
    const before = await stored(scene);
    scene.provider.misbehave({ token: { json: { refresh_token: undefined } } });
    await scene.app.signIn();
    const after = await stored(scene);
    expect(after.refreshToken).toBe(before.refreshToken);
    expect(after.accessToken).not.toBe(before.accessToken);
    const columns = { access_token: after.accessToken, refresh_token: before.refreshToken };
    expect(scene.adapter.dump().accounts).toMatchObject([columns]);
  });

  it('whose answer has neither expiry nor scopes has those that were requested', async () => {
    const scene = await signedIn();
    scene.provider.misbehave({ token: { json: { expires_in: undefined, scope: undefined } } });
    await scene.app.signIn({ fields: { scopes: 'calendar' } });
    expect(await get(scene)).toMatchObject({
      expiresAt: null,
      scopes: ['openid', 'profile', 'email', 'calendar'],
    });
    const plain = makeScene();
    plain.provider.misbehave({ token: { json: { scope: undefined } } });
    await plain.app.signIn();
    expect(await get(plain)).toMatchObject({ scopes: ['openid', 'profile', 'email'] });
  });

  it('with the option `scopes` replaces tokens with more scopes, and one without it does not', async () => {
    const authorization = { params: { scope: 'openid email calendar' } };
    const scene = await signedIn({ entry: { authorization } });
    const fewer = async (fields: Record<string, string>): Promise<readonly string[]> => {
      const started = await scene.app.startSignIn('fake', fields);
      const url = new URL(started.location ?? '');
      url.searchParams.set('scope', 'openid email');
      await scene.app.open(await scene.provider.authorize(url.href));
      return (await stored(scene)).scopes;
    };
    expect(await fewer({})).toEqual(['openid', 'email', 'calendar']);
    expect(await fewer({ scopes: '' })).toEqual(['openid', 'email']);
  });

  it('keeps the longest scopes in a cookie that browsers accept', async () => {
    const scene = await signedIn();
    const scopes = Array.from({ length: 49 }, (_, index) => `${index}-${'x'.repeat(37)}`).join(' ');
    scene.provider.misbehave({ token: { json: { scope: undefined } } });
    const fields = { scopes, callbackUrl: `/${'y'.repeat(490)}` };
    const page = await scene.app.startSignIn('fake', fields);
    const asked = page.redirect?.searchParams.get('scope') ?? '';
    expect(asked.length).toBeGreaterThan(1900);
    for (const { name, value } of scene.app.browser.cookies.all()) {
      expect(name.length + value.length, name).toBeLessThan(4096);
    }
    const end = await scene.app.open(await scene.provider.authorize(page.location ?? ''));
    expect(end.redirect?.pathname).toBe(fields.callbackUrl);
    expect((await stored(scene)).scopes).toEqual(asked.split(' '));
  });

  it('asks for the stored scopes of its provider only, and for none of them if all would be too long', async () => {
    const scene = await signedIn();
    const settings = settingsFor(scene.app.config);
    const other = { ...(await stored(scene)), provider: 'other', scopes: ['of another provider'] };
    await scene.vault.write(await sealEntry(settings, other, null), null);
    const asked = async (scopes: string) => (await scene.app.startSignIn('fake', { scopes })).redirect?.searchParams;
    expect((await asked('calendar'))?.get('scope')).toBe('openid profile email calendar');
    const long = 'x'.repeat(1500);
    await scene.vault.remove({ provider: 'other', providerAccountId: 'ada-1815' });
    const { version = 0 } = scene.entry ?? {};
    const many = { ...(await stored(scene)), scopes: [long] };
    await scene.vault.write(await sealEntry(settings, many, version), version);
    expect((await asked('calendar'))?.get('scope')).toBe(`openid profile email ${long} calendar`);
    const longer = 'y'.repeat(1000);
    expect((await asked(longer))?.get('scope')).toBe(`openid profile email ${longer}`);
  });

  it('with the option `scopes` starts while the vault fails, without the stored scopes', async () => {
    const scene = await signedIn({ entry: { authorization: { params: { scope: 'openid' } } } });
    scene.vault.fail('find');
    const page = await scene.app.startSignIn('fake', { scopes: 'calendar' });
    expect(page.redirect?.searchParams.get('scope')).toBe('openid calendar');
    expect(scene.app.log.types()).toEqual(['TokensUnavailable']);
  });

  it('ends the wait after a failed refresh', async () => {
    const scene = await signedIn();
    for (let count = 0; count < 2; count++) {
      scene.later(3601);
      scene.provider.misbehave({ token: { throw: true, times: 1 } });
      await expect(get(scene)).rejects.toMatchObject({ code: 'provider-unavailable', retryAfter: 5 });
      scene.later(5);
      await scene.app.signIn({ browser: scene.app.visitor() });
    }
  });

  it('stores no large ID token', async () => {
    const scene = makeScene();
    scene.provider.misbehave({ idToken: { claims: { note: 'x'.repeat(13_000) } } });
    await scene.app.signIn();
    expect(await get(scene)).not.toHaveProperty('idToken');
    scene.later(3601);
    expect(await get(scene)).toMatchObject({ accessToken: expect.any(String) });
    expect(scene.app.log.types()).toEqual([]);
  });

  it('is reported if others write the entry again and again', async () => {
    const scene = makeScene();
    const write = vi.spyOn(scene.vault, 'write').mockResolvedValue(false);
    await scene.app.signIn();
    expect(write).toHaveBeenCalledTimes(5);
    expect(scene.app.log.errors).toMatchObject([{ code: 'store-unavailable', provider: 'fake' }]);
    expect(String(Reflect.get(scene.app.log.errors[0]?.cause ?? {}, 'err'))).toContain('written 5 times by others');
    expect(await scene.app.session()).toMatchObject({ user: { email: 'ada@example.com' } });
  });

  it.each<[string, object, (account: Account) => object, number, string[]]>([
    ['no tokens', {}, () => ({}), 0, []],
    ['no refresh token', {}, ({ access_token }) => ({ access_token }), 1, ['refresh-token-dropped']],
    [
      'no ID token',
      {},
      ({ access_token, refresh_token, expires_at }) => ({ access_token, refresh_token, expires_at }),
      1,
      [],
    ],
  ])('stores what `account()` of the provider returns: %s', async (_, own, account, entries, warnings) => {
    const scene = await signedIn({ entry: { ...own, account } });
    expect(scene.vault.dump()).toHaveLength(entries);
    expect(scene.app.log.warnings.map(([code]) => code)).toEqual(warnings);
    if (entries === 0) return;
    expect(await get(scene)).not.toHaveProperty('idToken');
    scene.later(3601);
    expect(await get(scene)).not.toHaveProperty('idToken');
    expect(scene.refreshes()).toHaveLength(warnings.length === 0 ? 1 : 0);
  });
});

describe('the rows of `accounts`', () => {
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
    const { refreshToken, subject } = await stored(scene);
    expect(await get(scene)).toMatchObject({ accessToken: 'newer' });
    expect(await stored(scene)).toMatchObject({ refreshToken, subject });
    expect(scene.refreshes()).toHaveLength(0);
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
    const tokens = await stored(scene);
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
    await scene.vault.write(await sealEntry(settings, { ...(await stored(scene)), ...none }, version), version);
    const updateAccount = vi.spyOn(scene.adapter, 'updateAccount');
    await scene.jobs().rewrite();
    expect(Object.keys(updateAccount.mock.calls[0]?.[0] ?? {}).sort()).toEqual(
      ['access_token', 'provider', 'providerAccountId', 'scope', 'type', 'userId'].sort(),
    );
  });

  it('fills the columns again after a change back to `keep`', async () => {
    const scene = await signedIn({ tokens: { accountColumns: 'clear' } });
    const { accessToken, refreshToken, idToken, expiresAt = 0 } = await stored(scene);
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
