import { accountsOf } from '@latchkey/core/account';
import Credentials from '@latchkey/core/providers/credentials';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { failure, makeScene } from './scene.ts';

afterEach(() => {
  vi.useRealTimers();
});

/** Another way to sign in. */
const password = Credentials({ authorize: () => null });

describe('an account that is removed', () => {
  it.each(['unlink', 'delete'] as const)('loses its tokens at the provider, too: %s', async (change) => {
    const revoked: string[] = [];
    const entry = { revocation: ({ kind }: { kind: string }) => void revoked.push(kind) };
    const account = { without: ['mails'], hasPassword: () => true } as const;
    const scene = makeScene({ entry, config: { account, session: { strategy: 'jwt' } } });
    await scene.app.signIn();
    const { userId } = scene;
    const accounts = accountsOf({ ...scene.app.config, providers: [...scene.app.config.providers, password] }, {});
    const [way] = await accounts.list(userId);
    if (change === 'unlink') await accounts.unlink(userId, String(way?.id));
    else await accounts.delete(userId);
    expect(revoked).toEqual(['refresh_token', 'access_token']);
    expect(scene.vault.dump()).toEqual([]);
  });

  it('is not deleted while the vault fails, because the next user with its id would get the tokens', async () => {
    const account = { without: ['mails'] } as const;
    const scene = makeScene({ config: { account, session: { strategy: 'jwt' } } });
    await scene.app.signIn();
    const { userId } = scene;
    scene.vault.fail('remove');
    const accounts = accountsOf(scene.app.config, {});
    expect(await failure(accounts.delete(userId))).toMatchObject({ code: 'store-unavailable' });
    expect(scene.adapter.dump().users).toHaveLength(1);
    await accounts.delete(userId);
    expect([scene.adapter.dump().users, scene.vault.dump()]).toEqual([[], []]);
  });
});

describe('the deletion of a user', () => {
  it('fails if the vault cannot delete the tokens: a database may give the id to the next user', async () => {
    const scene = makeScene({ config: { account: { without: ['mails'], hasPassword: () => true } } });
    await scene.app.signIn();
    const { userId } = scene;
    const accounts = accountsOf({ ...scene.app.config, providers: [...scene.app.config.providers, password] }, {});
    for (const step of ['find', 'remove'] as const) {
      scene.vault.fail(step);
      expect(await failure(accounts.delete(userId))).toMatchObject({
        code: 'store-unavailable',
        message: expect.stringContaining(`the token vault's \`${step}\` failed`),
      });
      expect(scene.adapter.dump().users).toHaveLength(1);
    }
    await accounts.delete(userId);
    expect(scene.adapter.dump().users).toEqual([]);
    expect(scene.vault.dump()).toEqual([]);
  });

  it('is finished if the vault fails afterwards, and the log reports it', async () => {
    const scene = makeScene({ config: { account: { without: ['mails'], hasPassword: () => true } } });
    await scene.app.signIn();
    const { deleteUser } = scene.adapter;
    const adapter = {
      ...scene.adapter,
      async deleteUser(id: string) {
        scene.vault.fail('find');
        return deleteUser(id);
      },
    };
    await accountsOf({ ...scene.app.config, adapter }, {}).delete(scene.userId);
    expect(scene.adapter.dump().users).toEqual([]);
    expect(scene.app.log.types()).toEqual(['TokensUnavailable']);
  });

  it('includes the tokens that a sign-in stores at the same time', async () => {
    const scene = makeScene({ config: { account: { without: ['mails'], hasPassword: () => true } } });
    await scene.app.signIn();
    const { userId, entry } = scene;
    const { deleteUser } = scene.adapter;
    const adapter = {
      ...scene.adapter,
      async deleteUser(id: string) {
        if (entry) await scene.vault.write(entry, null);
        return deleteUser(id);
      },
    };
    await accountsOf({ ...scene.app.config, adapter }, {}).delete(userId);
    expect(scene.vault.dump()).toEqual([]);
  });
});
