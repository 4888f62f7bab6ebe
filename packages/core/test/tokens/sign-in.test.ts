import type { Account } from '@latchkey/core/types';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { settingsFor } from '../../src/config/settings.ts';
import { sealEntry } from '../../src/tokens/entry.ts';
import {
  get,
  makeScene,
  type Scene,
  type SceneOptions,
  signedIn,
  storedTokens,
  tokensFor,
  tokensIn,
  withoutAdapter,
} from './scene.ts';

afterEach(() => {
  vi.useRealTimers();
});

describe('a sign-in', () => {
  it('stores sealed tokens', async () => {
    const scene = await signedIn();
    const text = JSON.stringify(scene.vault.dump());
    expect(scene.entry).toMatchObject({
      provider: 'fake',
      providerAccountId: 'ada-1815',
      userId: scene.userId,
      expires: null,
    });
    const tokens = await tokensIn(scene, scene.entry);
    expect(tokens).toMatchObject({ clientId: 'client', scopes: ['openid', 'profile', 'email'], subject: 'ada-1815' });
    for (const secret of [tokens?.accessToken, tokens?.refreshToken, tokens?.idToken]) {
      expect(secret).toMatch(/.{10}/);
      expect(text).not.toContain(secret);
    }
  });

  it('succeeds if the vault fails', async () => {
    const scene = makeScene();
    scene.vault.fail('write', { times: 9 });
    await scene.app.signIn();
    expect(await scene.app.session()).toMatchObject({ user: { email: 'ada@example.com' } });
    expect(scene.app.log.types()).toEqual(['TokensUnavailable']);
  });

  it('stores the tokens of a sign-in whose first write loses its answer', async () => {
    const scene = makeScene();
    scene.vault.fail('write', 'after');
    await scene.app.signIn();
    expect(scene.vault.dump()).toHaveLength(1);
  });

  it('without a refresh token keeps the stored one, also in the columns', async () => {
    const scene = await signedIn();
    const before = await storedTokens(scene);
    scene.provider.misbehave({ token: { json: { refresh_token: undefined } } });
    await scene.app.signIn();
    const after = await storedTokens(scene);
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
      return (await storedTokens(scene)).scopes;
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
    expect((await storedTokens(scene)).scopes).toEqual(asked.split(' '));
  });

  it('asks for the stored scopes of its provider only, and for none of them if all would be too long', async () => {
    const scene = await signedIn();
    const settings = settingsFor(scene.app.config);
    const other = { ...(await storedTokens(scene)), provider: 'other', scopes: ['of another provider'] };
    await scene.vault.write(await sealEntry(settings, other, null), null);
    const asked = async (scopes: string) => (await scene.app.startSignIn('fake', { scopes })).redirect?.searchParams;
    expect((await asked('calendar'))?.get('scope')).toBe('openid profile email calendar');
    const long = 'x'.repeat(1500);
    await scene.vault.remove({ provider: 'other', providerAccountId: 'ada-1815' });
    const { version = 0 } = scene.entry ?? {};
    const many = { ...(await storedTokens(scene)), scopes: [long] };
    await scene.vault.write(await sealEntry(settings, many, version), version);
    expect((await asked('calendar'))?.get('scope')).toBe(`openid profile email ${long} calendar`);
    const longer = 'y'.repeat(1000);
    expect((await asked(longer))?.get('scope')).toBe(`openid profile email ${longer}`);
  });

  it('asks for at most 50 further scopes, which spaces separate', async () => {
    const scene = await signedIn({ entry: { authorization: { params: { scope: 'openid' } } } });
    const names = Array.from({ length: 51 }, (_, index) => `s${index}`);
    const page = await scene.app.startSignIn('fake', { scopes: ` ${names.join('  ')}` });
    const asked = page.redirect?.searchParams.get('scope')?.split(' ');
    expect(asked).toEqual(['openid', ...names.slice(0, 50)]);
  });

  it.each([
    [2048, true],
    [2049, false],
  ])('asks for the stored scopes, too, if all have at most 2,048 characters: %i', async (length, isComplete) => {
    const scene = await signedIn({ entry: { authorization: { params: { scope: 'openid' } } } });
    const { version = 0 } = scene.entry ?? {};
    const scope = 'x'.repeat(1000);
    const entry = await sealEntry(
      settingsFor(scene.app.config),
      { ...(await storedTokens(scene)), scopes: [scope] },
      version,
    );
    await scene.vault.write(entry, version);
    const added = 'y'.repeat(length - `openid ${scope} `.length);
    const page = await scene.app.startSignIn('fake', { scopes: added });
    expect(page.redirect?.searchParams.get('scope')).toBe(isComplete ? `openid ${scope} ${added}` : `openid ${added}`);
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

  it('warns of a provider whose `account()` drops the refresh token', async () => {
    const account = ({ access_token }: Account) => ({ access_token });
    const { app } = await signedIn({ entry: { account } });
    expect(app.log.warnings).toEqual([['refresh-token-dropped', 'provider: fake']]);
  });

  it('writes the columns only once, unless the entry has a better refresh token', async () => {
    const scene = await signedIn();
    const updateAccount = vi.spyOn(scene.adapter, 'updateAccount');
    await scene.app.signIn();
    const usual = updateAccount.mock.calls.length;
    scene.provider.misbehave({ token: { json: { refresh_token: undefined } } });
    await scene.app.signIn();
    expect(updateAccount.mock.calls.length - usual).toBe(usual + 1);
  });

  it('stores no empty tokens', async () => {
    const account = (tokens: Account) => ({ ...tokens, refresh_token: '', id_token: '' });
    const scene = await signedIn({ entry: { account } });
    expect(await get(scene)).not.toHaveProperty('idToken');
    scene.later(3601);
    await expect(get(scene)).rejects.toMatchObject({ code: 'no-refresh-token' });
  });

  it('replaces an entry that cannot be opened', async () => {
    const scene = await signedIn();
    const { version = 0 } = scene.entry ?? {};
    await scene.vault.write({ ...scene.entry, sealed: 'changed', version } as never, version);
    await scene.app.signIn();
    expect(await get(scene)).toMatchObject({ accessToken: expect.any(String) });
    expect(scene.app.log.types()).toEqual([]);
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
    expect(scene.app.log.errors).toMatchObject([
      {
        code: 'store-unavailable',
        provider: 'fake',
        message: expect.stringContaining('the tokens of a sign-in could not be stored'),
      },
    ]);
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
    expect(scene.app.log.types()).toEqual([]);
    if (entries === 0) return;
    expect(await get(scene)).not.toHaveProperty('idToken');
    scene.later(3601);
    expect(await get(scene)).not.toHaveProperty('idToken');
    expect(scene.refreshes()).toHaveLength(warnings.length === 0 ? 1 : 0);
  });
});

describe('a warning about tokens', () => {
  const long = (tokens: Account) => ({ ...tokens, access_token: 'x'.repeat(6000) });

  it.each<[string, SceneOptions, (scene: Scene) => Promise<unknown>, string]>([
    [
      'no refresh token',
      { entry: { account: ({ access_token }: Account) => ({ access_token }) } },
      async () => undefined,
      '`account()` of a provider removes `refresh_token`, so its tokens cannot be refreshed. Return it, too.',
    ],
    [
      'too large for a cookie',
      { ...withoutAdapter, entry: { account: long } },
      async () => undefined,
      'so they were not stored. Use a token vault. (provider: fake, the sealed tokens have',
    ],
    [
      'too late for a cookie',
      withoutAdapter,
      async (scene) => {
        scene.later(3601);
        await tokensFor(scene, 'late').get('fake');
      },
      'Await the call before the response is sent.',
    ],
  ])('says what to do: %s', async (_, options, cause, words) => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    try {
      await cause(await signedIn({ ...options, config: { logger: {} } }));
      expect(warn.mock.calls.flat().join('\n')).toContain(words);
    } finally {
      warn.mockRestore();
    }
  });
});
