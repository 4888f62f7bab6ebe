import { InvalidProvider, TokensUnavailable } from '@latchkey/core/errors';
import Credentials from '@latchkey/core/providers/credentials';
import { tokensOf } from '@latchkey/core/tokens';
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

/** Writes an entry like that of the user. */
async function writeEntry(scene: Scene, members: Partial<Tokens>): Promise<void> {
  const settings = settingsFor(scene.app.config);
  const opened = scene.entry && (await openEntry(settings, scene.entry));
  if (!opened) throw new Error('the entry does not open');
  const tokens = { ...opened.tokens, ...members };
  const present = await scene.vault.read({ provider: tokens.provider, providerAccountId: tokens.account });
  await scene.vault.write(await sealEntry(settings, tokens, present?.version ?? null), present?.version ?? null);
}

describe('get', () => {
  it('gives up after five decisions, if others write expired tokens again and again', async () => {
    const scene = await signedIn();
    scene.later(3601);
    const lease = vi.spyOn(scene.vault, 'lease').mockImplementation(async () => {
      await writeEntry(scene, {});
      return false;
    });
    await expect(get(scene, { scopes: ['email'] })).rejects.toMatchObject({
      code: 'provider-unavailable',
      provider: 'fake',
      scopes: ['email'],
      retryAfter: 1,
    });
    expect(lease).toHaveBeenCalledTimes(5);
  });

  it('compares the scopes of each call with those that a refresh has granted', async () => {
    const scene = await signedIn();
    scene.later(3601);
    scene.provider.misbehave({ token: { json: { scope: 'openid' } } });
    const [some, others] = await Promise.allSettled([get(scene), get(scene, { scopes: ['email'] })]);
    expect(some).toMatchObject({ value: { scopes: ['openid'] } });
    expect(others).toMatchObject({
      reason: { code: 'missing-scopes', provider: 'fake', scopes: ['openid', 'email'], remedy: 'sign-in' },
    });
  });

  it('names the scopes of the call if there are no tokens', async () => {
    const scene = await signedIn();
    const call = get(scene, { userId: 'eve', scopes: ['calendar'] });
    await expect(call).rejects.toMatchObject({ code: 'no-account', provider: 'fake', scopes: ['calendar'] });
  });

  it('names the provider of which the user has several accounts', async () => {
    const scene = await signedIn();
    await writeEntry(scene, { account: 'two' });
    await expect(get(scene)).rejects.toMatchObject({ code: 'several-accounts', provider: 'fake' });
  });

  it('rounds the seconds until the next try up', async () => {
    const scene = await signedIn();
    scene.later(3601);
    scene.provider.misbehave({ token: { status: 500 } });
    await expect(get(scene)).rejects.toMatchObject({ retryAfter: 5 });
    scene.later(4.5);
    await expect(get(scene)).rejects.toMatchObject({ retryAfter: 1 });
  });

  it('accepts 0 as `minTtl`: the token is used until it expires', async () => {
    const scene = await signedIn();
    const { accessToken, expiresAt } = await get(scene);
    scene.later((Number(expiresAt) - Date.now()) / 1000 - 0.001);
    expect((await get(scene, { minTtl: 0 })).accessToken).toBe(accessToken);
    expect(scene.refreshes()).toEqual([]);
  });

  it.each([-1, 3601, Number.NaN])('refuses %d as `minTtl`', async (minTtl) => {
    const words = '`minTtl` must be a number of seconds from 0 to 3600';
    await expect(get(await signedIn(), { minTtl })).rejects.toThrow(new TypeError(words));
  });

  it('refuses a provider that is not configured, or has no tokens', async () => {
    const scene = await signedIn();
    const password = Credentials({ authorize: () => null });
    const jobs = tokensOf({ ...scene.app.config, providers: [...scene.app.config.providers, password] }, {});
    for (const id of ['unknown', 'credentials']) {
      const error = await jobs.get(id, { userId: scene.userId }).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(InvalidProvider);
      expect(error).toMatchObject({ cause: { provider: id } });
      expect(String(error)).toContain(`provider "${id}" is not configured, or has no tokens. Correct the id`);
    }
  });

  it('returns the tokens of a plain OAuth provider', async () => {
    const scene = makeScene({ provider: { oidc: false } });
    scene.app.config.providers = [scene.provider.plainProvider()];
    await scene.app.signIn({ id: scene.provider.plainProvider().id });
    const call = scene.jobs().get(scene.provider.plainProvider().id, { userId: scene.userId });
    expect(await call).toMatchObject({ accessToken: expect.any(String) });
  });
});

describe('list', () => {
  it('says that tokens are expired which cannot be refreshed', async () => {
    const scene = await signedIn({ provider: { refreshTokens: false } });
    const { expiresAt } = await get(scene);
    scene.later(3601);
    expect(await scene.jobs().list({ userId: scene.userId })).toMatchObject([{ state: 'expired', expiresAt }]);
  });

  it('has no expiry for tokens of which it is unknown', async () => {
    const scene = makeScene();
    scene.provider.misbehave({ token: { json: { expires_in: undefined } } });
    await scene.app.signIn();
    expect(await scene.jobs().list({ userId: scene.userId })).toMatchObject([{ state: 'active', expiresAt: null }]);
  });

  it('is in the order of the accounts', async () => {
    const scene = await signedIn();
    for (const account of ['c', 'a', 'b']) await writeEntry(scene, { account });
    const accounts = await scene.jobs().list({ userId: scene.userId });
    expect(accounts.map(({ account }) => account)).toEqual(['a', 'ada-1815', 'b', 'c']);
  });

  it('has accounts whose tokens cannot be opened', async () => {
    const scene = await signedIn();
    const config = { ...scene.app.config, secret: 'another-secret-of-more-than-32-characters' };
    expect(await tokensOf(config, {}).list({ userId: scene.userId })).toEqual([
      { provider: 'fake', account: 'ada-1815', scopes: [], expiresAt: null, state: 'unreadable' },
    ]);
  });
});

describe('without an adapter', () => {
  it('an entry that belongs to a user of a store is out of reach', async () => {
    const scene = await signedIn({ withoutAdapter: true });
    const job = { account: 'ada-1815' };
    expect(await scene.jobs().get('fake', job)).toMatchObject({ scopes: ['openid', 'profile', 'email'] });
    await writeEntry(scene, { userId: 'eve' });
    const error = await scene
      .jobs()
      .get('fake', job)
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(TokensUnavailable);
    expect(error).toMatchObject({ code: 'no-account', provider: 'fake' });
    expect(await scene.jobs().revoke('fake', job)).toEqual([]);
    expect(scene.vault.dump()).toHaveLength(1);
  });
});
