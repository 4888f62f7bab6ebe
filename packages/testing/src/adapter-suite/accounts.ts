import { nothing, sameAccount, sameUser } from './expect.ts';
import type { Case } from './runner.ts';
import { accountKey, anAccount, aUser, fresh } from './samples.ts';

/** Cases about accounts. */
export function accounts(it: Case): void {
  it('links an account and finds the user by it', async (adapter) => {
    const user = await adapter.createUser(aUser());
    const account = anAccount(user.id);
    await adapter.linkAccount(account);
    sameUser(await adapter.getUserByAccount(accountKey(account)), user);
  });

  it('tells an account by both parts of its key', async (adapter) => {
    const user = await adapter.createUser(aUser());
    const account = anAccount(user.id);
    await adapter.linkAccount(account);
    const { provider, providerAccountId } = account;
    nothing(await adapter.getUserByAccount({ provider: 'gitlab', providerAccountId }), 'at another provider');
    nothing(await adapter.getUserByAccount({ provider, providerAccountId: fresh('other') }), 'under another id');
    nothing(
      await adapter.getUserByAccount({ provider: providerAccountId, providerAccountId: provider }),
      'the wrong way round',
    );
  });

  it('links several accounts to one user, and one id at several providers to several users', async (adapter) => {
    const user = await adapter.createUser(aUser());
    const other = await adapter.createUser(aUser());
    const github = anAccount(user.id);
    const gitlab = anAccount(user.id, { provider: 'gitlab' });
    const google = anAccount(other.id, { provider: 'google', providerAccountId: github.providerAccountId });
    for (const account of [github, gitlab, google]) await adapter.linkAccount(account);
    for (const account of [github, gitlab]) sameUser(await adapter.getUserByAccount(accountKey(account)), user);
    sameUser(await adapter.getUserByAccount(accountKey(google)), other);
  });

  it('unlinks one account and leaves the others', async (adapter) => {
    const user = await adapter.createUser(aUser());
    const github = anAccount(user.id);
    const gitlab = anAccount(user.id, { provider: 'gitlab' });
    for (const account of [github, gitlab]) await adapter.linkAccount(account);
    await adapter.unlinkAccount({ provider: github.provider, providerAccountId: github.providerAccountId });
    nothing(await adapter.getUserByAccount(accountKey(github)), 'by the unlinked account');
    sameUser(await adapter.getUserByAccount(accountKey(gitlab)), user, 'by the other account');
    await adapter.linkAccount(github);
    sameUser(await adapter.getUserByAccount(accountKey(github)), user, 'by the account linked again');
  });
}

/** Cases about `getAccount`, which passkeys need. */
export function storedAccounts(it: Case): void {
  it('reads an account with its tokens', async (adapter) => {
    const user = await adapter.createUser(aUser());
    const account = anAccount(user.id);
    await adapter.linkAccount(account);
    sameAccount(await adapter.getAccount(account.providerAccountId, account.provider), account);
    nothing(await adapter.getAccount(account.providerAccountId, 'gitlab'), 'at another provider');
    nothing(await adapter.getAccount(fresh('other'), account.provider), 'under another id');
  });
}
