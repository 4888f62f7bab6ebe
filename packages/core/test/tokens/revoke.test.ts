import { accountsOf } from '@latchkey/core/account';
import Credentials from '@latchkey/core/providers/credentials';
import { tokensOf } from '@latchkey/core/tokens';
import { FakeProvider } from '@latchkey/testing';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { settingsFor } from '../../src/config/settings.ts';
import { openEntry, sealEntry } from '../../src/tokens/entry.ts';
import { makeScene, type Scene, type SceneOptions } from './scene.ts';

afterEach(() => {
  vi.useRealTimers();
});

/** A provider that records the tokens it has revoked. */
function revoking(during: () => Promise<void> = async () => undefined) {
  const revoked: string[] = [];
  const revocation = async ({ token }: { token: string }) => {
    revoked.push(token);
    if (revoked.length === 1) await during();
  };
  return { revoked, entry: { revocation } };
}

async function failure(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error: unknown) => error,
  );
}

async function signedIn(options?: SceneOptions): Promise<Scene> {
  const scene = makeScene(options);
  await scene.app.signIn();
  return scene;
}

const account = { without: ['mails'], hasPassword: () => true } as const;

function accounts({ app }: Scene) {
  const password = Credentials({ authorize: () => null });
  return accountsOf({ ...app.config, providers: [...app.config.providers, password] }, {});
}

async function unlink(scene: Scene): Promise<unknown> {
  const [way] = await accounts(scene).list(scene.userId);
  return accounts(scene).unlink(scene.userId, String(way?.id));
}

describe('an account that is unlinked', () => {
  it.each(['find', 'lease', 'read', 'remove'] as const)(
    'stays while the vault fails (%s), because its tokens would stay usable',
    async (step) => {
      const { revoked, entry } = revoking();
      const scene = await signedIn({ entry, config: { account } });
      scene.vault.fail(step);
      expect(await failure(unlink(scene))).toMatchObject({ code: 'store-unavailable', remedy: 'retry' });
      expect(scene.adapter.dump().accounts).toHaveLength(1);
      scene.vault.recover();
      expect(await unlink(scene)).toEqual({ count: 1 });
      expect(scene.vault.dump()).toEqual([]);
      expect(revoked.length).toBeGreaterThanOrEqual(2);
      expect(await failure(scene.jobs().get('fake', { userId: scene.userId }))).toMatchObject({ code: 'no-account' });
    },
  );

  it('loses its tokens if another account is left', async () => {
    const scene = await signedIn({ config: { account: { without: ['mails'] } } });
    const { userId } = scene;
    await scene.adapter.linkAccount({ userId, provider: 'other', providerAccountId: 'ada', type: 'oidc' });
    const other = new FakeProvider().provider({ id: 'other' });
    const own = accountsOf({ ...scene.app.config, providers: [...scene.app.config.providers, other] }, {});
    const [way] = await own.list(userId);
    expect(await own.unlink(userId, String(way?.id))).toEqual({ count: 1 });
    expect(scene.vault.dump()).toEqual([]);
  });

  it('keeps its tokens if it is the last way to sign in', async () => {
    const { revoked, entry } = revoking();
    const scene = await signedIn({ entry, config: { account: { without: ['mails'] } } });
    const own = accountsOf({ ...scene.app.config, providers: [...scene.app.config.providers] }, {});
    const [way] = await own.list(scene.userId);
    expect(await failure(own.unlink(scene.userId, String(way?.id)))).toMatchObject({ type: 'LastWayIn' });
    expect([revoked, scene.vault.dump().length]).toEqual([[], 1]);
  });

  it('yields no tokens to its former user after it has moved, also if the vault fails at the next sign-in', async () => {
    const scene = await signedIn({ config: { account } });
    const { userId } = scene;
    await unlink(scene);
    await scene.adapter.updateUser({ id: userId, email: 'former@example.com' });
    scene.vault.fail('write');
    await scene.app.signIn({ browser: scene.app.visitor() });
    const [row] = scene.adapter.dump().accounts;
    expect(row?.userId).not.toBe(userId);
    expect(await failure(scene.jobs().get('fake', { userId }))).toMatchObject({ code: 'no-account' });
    expect(await scene.jobs().get('fake', { userId: String(row?.userId) })).toMatchObject({
      scopes: expect.any(Array),
    });
  });
});

describe('a revocation', () => {
  it('waits for a refresh that runs, and revokes its tokens', async () => {
    const { revoked, entry } = revoking();
    let answer = (): void => undefined;
    const asked = new Promise<void>((resolve) => {
      Object.assign(entry, {
        refresh: {
          request: async () => {
            resolve();
            await new Promise<void>((done) => {
              answer = done;
            });
            return { tokens: { access_token: 'a2', refresh_token: 'r2', expires_in: 3600, token_type: 'bearer' } };
          },
        },
      });
    });
    const scene = await signedIn({ entry });
    const { userId } = scene;
    scene.later(3601);
    const refreshed = scene.jobs().get('fake', { userId });
    await asked;
    const done = scene.jobs().revoke('fake', { userId });
    await new Promise((resolve) => setTimeout(resolve, 100));
    answer();
    expect(await refreshed).toMatchObject({ accessToken: 'a2' });
    expect(await done).toEqual([{ provider: 'fake', account: 'ada-1815', result: 'revoked' }]);
    expect(revoked).toEqual(['r2', 'a2']);
    expect(scene.vault.dump()).toEqual([]);
  });

  it('revokes the tokens that were stored during the call, too', async () => {
    const { revoked, entry } = revoking(async () => {
      const settings = settingsFor(scene.app.config);
      const present = scene.entry;
      const opened = present && (await openEntry(settings, present));
      if (!opened) throw new Error('no entry');
      const next = { ...opened.tokens, refreshToken: 'r2', accessToken: 'a2' };
      await scene.vault.write(await sealEntry(settings, next, present.version), present.version);
    });
    const scene = await signedIn({ entry });
    await scene.jobs().revoke('fake', { userId: scene.userId });
    expect(revoked).toHaveLength(4);
    expect(revoked.slice(2)).toEqual(['r2', 'a2']);
    expect(scene.vault.dump()).toEqual([]);
  });

  it('ends after five turns, if others store tokens again and again', async () => {
    const { revoked, entry } = revoking();
    const scene = await signedIn({ entry });
    const { version = 0 } = scene.entry ?? {};
    let count = 0;
    const read = vi.spyOn(scene.vault, 'read').mockImplementation(async () => {
      count++;
      return scene.entry ? { ...scene.entry, version: version + count } : null;
    });
    vi.spyOn(scene.vault, 'lease').mockResolvedValue(true);
    await scene.jobs().revoke('fake', { userId: scene.userId });
    read.mockRestore();
    expect(revoked).toHaveLength(10);
    expect(scene.vault.dump()).toEqual([]);
  });

  it('leaves an entry to the process that has just deleted it', async () => {
    const { revoked, entry } = revoking();
    const scene = await signedIn({ entry });
    vi.spyOn(scene.vault, 'lease').mockImplementationOnce(async (key) => {
      await scene.vault.remove(key);
      return false;
    });
    expect(await scene.jobs().revoke('fake', { userId: scene.userId })).toEqual([]);
    expect(revoked).toEqual([]);
    expect(scene.app.events.filter(([name]) => name === 'tokensRevoked')).toEqual([]);
  });

  it('sends an access token unless it has expired', async () => {
    const { revoked, entry } = revoking();
    const scene = await signedIn({ entry });
    const { userId } = scene;
    const { expiresAt } = await scene.jobs().get('fake', { userId });
    scene.later((Number(expiresAt) - Date.now()) / 1000);
    await scene.jobs().revoke('fake', { userId });
    expect(revoked).toHaveLength(1);
    scene.provider.misbehave({ token: { json: { expires_in: undefined } } });
    await scene.app.signIn();
    await scene.jobs().revoke('fake', { userId });
    expect(revoked).toHaveLength(3);
  });

  it('has failed for tokens that do not open, and for a provider that is not configured any more', async () => {
    const scene = await signedIn();
    const { userId } = scene;
    const failed = [{ provider: 'fake', account: 'ada-1815', result: 'failed' }];
    const secret = 'another-secret-of-more-than-32-characters';
    expect(await tokensOf({ ...scene.app.config, secret }, {}).revoke('fake', { userId })).toEqual(failed);
    expect(scene.app.log.types()).toEqual([]);
    await scene.app.signIn();
    expect(await tokensOf({ ...scene.app.config, providers: [] }, {}).revoke('fake', { userId })).toEqual(failed);
    expect(scene.app.log.types()).toEqual(['AuthError']);
    expect(scene.vault.dump()).toEqual([]);
  });

  it('revokes the tokens that the vault did not accept', async () => {
    const { revoked, entry } = revoking();
    const scene = await signedIn({ entry });
    const { userId } = scene;
    scene.later(3601);
    scene.vault.fail('write', { times: Number.POSITIVE_INFINITY });
    vi.useRealTimers();
    vi.useFakeTimers({ toFake: ['Date'], now: scene.clock.now(), shouldAdvanceTime: true });
    const { accessToken } = await scene.jobs().get('fake', { userId });
    scene.vault.recover();
    await scene.jobs().revoke('fake', { userId });
    expect(revoked).toContain(accessToken);
  });

  it('is not carried out while the columns cannot be cleared, because `get` would take the tokens over again', async () => {
    const { revoked, entry } = revoking();
    const scene = await signedIn({ entry });
    const { userId } = scene;
    scene.adapter.fail('updateAccount');
    expect(await failure(scene.jobs().revoke('fake', { userId }))).toMatchObject({ code: 'store-unavailable' });
    expect([revoked, scene.vault.dump().length]).toEqual([[], 1]);
    await scene.jobs().revoke('fake', { userId });
    expect(await failure(scene.jobs().get('fake', { userId }))).toMatchObject({ code: 'no-account' });
  });

  it('is carried out if the adapter cannot write a row that was deleted', async () => {
    const scene = await signedIn();
    const { userId } = scene;
    await scene.adapter.unlinkAccount({ provider: 'fake', providerAccountId: 'ada-1815' });
    scene.adapter.fail('updateAccount');
    expect(await scene.jobs().revoke('fake', { userId })).toMatchObject([{ account: 'ada-1815' }]);
    expect(scene.vault.dump()).toEqual([]);
  });

  it('is final with an adapter that cannot clear columns: their tokens are not taken over', async () => {
    const first = await signedIn();
    const { updateAccount: _, ...adapter } = first.adapter;
    first.app.config.adapter = adapter;
    const { userId } = first;
    await first.jobs().revoke('fake', { userId });
    expect(first.adapter.dump().accounts).toMatchObject([{ refresh_token: expect.any(String) }]);
    expect(await failure(first.jobs().get('fake', { userId }))).toMatchObject({ code: 'no-account' });
  });
});
