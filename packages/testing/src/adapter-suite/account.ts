import type { Adapter, AdapterAccount, AdapterMethod, AdapterUser, UnlinkAccountResult } from '@latchkey/core/adapters';
import { check, nothing, same, sameAccount, sameAuthenticator, sameMembers, sameUser } from './expect.ts';
import type { Case } from './runner.ts';
import { accountKey, anAccount, anAuthenticator, aUser, fresh, soon } from './samples.ts';

/** The abilities of the store under test. */
interface Extent {
  /** The methods must exist. Otherwise a case without its method passes. */
  readonly isRequired: boolean;
  /** The store keeps `createdAt`, `label`, `name` and `usedAt`. */
  readonly details: boolean;
  readonly unique: boolean;
}

/** Registers the cases about the methods with which users manage their accounts and their address. */
export function managedAccounts(it: Case, extent: Extent): void {
  listedAccounts(casesIf(it, 'listAccountsByUserId', extent), extent);
  unlinkedAccounts(casesIf(it, 'unlinkAccountIfNotLast', extent));
  changedAddresses(casesIf(it, 'updateUserEmail', extent), extent);
}

/** Registers the cases about the methods with which users manage their passkeys. */
export function managedPasskeys(it: Case, extent: Extent): void {
  changedPasskeys(casesIf(it, 'updateAuthenticator', extent), extent);
  unlinkedPasskeys(casesIf(it, 'unlinkAccountIfNotLast', extent));
}

/** Returns a function that registers cases about one method. */
function casesIf(it: Case, method: AdapterMethod, { isRequired }: Extent): Case {
  return (title, body) =>
    it(title, async (adapter) => {
      if (isRequired || method in adapter) await body(adapter);
    });
}

function listedAccounts(it: Case, { details }: Extent): void {
  it('lists the accounts of a user, and no other accounts', async (adapter) => {
    const [user, other] = [await adapter.createUser(aUser()), await adapter.createUser(aUser())];
    const own = [anAccount(user.id), anAccount(user.id, { provider: 'gitlab' }), anAccount(user.id)];
    const [removed] = own;
    for (const account of [...own, anAccount(other.id)]) await adapter.linkAccount(account);
    if (removed) await adapter.unlinkAccount(accountKey(removed));
    const listed = await adapter.listAccountsByUserId(user.id);
    same(idsOf(listed), idsOf(own.slice(1)), 'accounts');
    for (const account of listed)
      sameAccount(account, own.find((one) => one.providerAccountId === account.providerAccountId) ?? {});
    same(await adapter.listAccountsByUserId((await adapter.createUser(aUser())).id), [], 'of a user without accounts');
    same(await adapter.listAccountsByUserId(crypto.randomUUID()), [], 'of an unknown user');
  });

  if (details) {
    it('keeps the label of an account, and the instant at which it was linked', async (adapter) => {
      const user = await adapter.createUser(aUser());
      const given = { label: `Ada 👩‍🚀 ${'x'.repeat(240)}`, createdAt: soon(-60) };
      const account = Object.assign(anAccount(user.id), given);
      const { userId: _, ...unowned } = anAccount('');
      await adapter.linkAccount(account);
      const { id } = await adapter.createUserWithAccount(aUser(), Object.assign(unowned, given));
      const { provider, providerAccountId, type, userId } = account;
      await adapter.updateAccount({ provider, providerAccountId, type, userId, access_token: 'new' });
      sameMembers(DETAILS, (await adapter.listAccountsByUserId(user.id))[0], given, 'as listed');
      sameMembers(DETAILS, (await adapter.listAccountsByUserId(id))[0], given, 'of a new user');
      sameMembers(DETAILS, await adapter.getAccount(providerAccountId, provider), given, 'as read');
    });
  }
}

const DETAILS = ['label', 'createdAt'];

function unlinkedAccounts(it: Case): void {
  it('unlinks an account if another way in is left', async (adapter) => {
    const { user, accounts, unlink, left } = await aUserWith(adapter, ['github', 'gitlab', 'google']);
    const [github, gitlab, google] = accounts;
    same(await unlink(github, { providers: ['github', 'gitlab'] }), 'unlinked', 'with another account');
    same(await unlink(gitlab, { otherWays: 1 }), 'unlinked', 'with a way in that is not an account');
    same(await left(), idsOf([google]), 'accounts');
    sameUser(await adapter.getUserByAccount(accountKey(google)), user, 'by the account that is left');
    await adapter.linkAccount(github);
    sameUser(await adapter.getUserByAccount(accountKey(github)), user, 'by an account linked again');
  });

  it('does not unlink the last way in', async (adapter) => {
    const { accounts, unlink, left } = await aUserWith(adapter, ['github', 'gitlab']);
    const [github] = accounts;
    same(await unlink(github, { providers: [] }), 'last', 'without configured providers');
    same(await unlink(github, { providers: ['github'] }), 'last', 'if the other provider is not configured');
    same(await unlink(github, { providers: ['Gitlab', 'gitlab '] }), 'last', 'with similar providers');
    same(await left(), idsOf(accounts), 'accounts');
  });

  it('does not unlink an account of another user, or an unknown one', async (adapter) => {
    const { unlink } = await aUserWith(adapter, ['github', 'gitlab']);
    const stranger = await aUserWith(adapter, ['github', 'gitlab']);
    same(await unlink(stranger.accounts[0], { otherWays: 2 }), 'missing', 'the account of another user');
    same(await unlink(anAccount(''), { otherWays: 2 }), 'missing', 'an unknown account');
    same(await stranger.left(), idsOf(stranger.accounts), 'accounts of the other user');
  });

  it('leaves one way in when fifty accounts are unlinked at once', async (adapter) => {
    const providers = Array.from({ length: 50 }, (_, index) => `provider-${index}`);
    const { accounts, unlink, left } = await aUserWith(adapter, providers);
    const results = await Promise.all(accounts.map((account) => unlink(account, { providers })));
    same(results.filter((result) => result === 'unlinked').length, 49, 'number of accounts unlinked');
    same(results.filter((result) => result === 'last').length, 1, 'number of refusals');
    same((await left()).length, 1, 'number of accounts left');
  });

  it('unlinks an account once when fifty callers unlink it', async (adapter) => {
    const { accounts, unlink } = await aUserWith(adapter, ['github', 'gitlab']);
    const all = Array.from({ length: 50 }, () => unlink(accounts[0], { providers: ['gitlab'] }));
    const results = await Promise.all(all);
    same(results.filter((result) => result === 'unlinked').length, 1, 'number of accounts unlinked');
    same(results.filter((result) => result === 'missing').length, 49, 'number of callers who came too late');
  });
}

function changedAddresses(it: Case, { unique }: Extent): void {
  it('changes the address of a user', async (adapter) => {
    const user = await adapter.createUser(aUser());
    const { email: from } = user;
    const [to, emailVerified] = [`${fresh('new')}@example.com`, soon(-1)];
    same(await adapter.updateUserEmail({ userId: user.id, from, to, emailVerified }), 'changed', 'result');
    sameUser(await adapter.getUser(user.id), { ...user, email: to, emailVerified });
    sameUser(await adapter.getUserByEmail(to), { ...user, email: to, emailVerified }, 'by the new address');
    nothing(await adapter.getUserByEmail(from), 'by the old address');
    const again = { userId: user.id, from: to, to, emailVerified: null };
    same(await adapter.updateUserEmail(again), 'changed', 'to the same address');
    sameUser(await adapter.getUser(user.id), { ...user, email: to, emailVerified: null });
    const heir = await adapter.createUser(aUser({ email: from }));
    sameUser(await adapter.getUserByEmail(from), heir, 'a new user with the old address');
  });

  it('does not change an address that is not the old one any more', async (adapter) => {
    const user = await adapter.createUser(aUser());
    const to = `${fresh('new')}@example.com`;
    const change = { userId: user.id, from: `${fresh('old')}@example.com`, to, emailVerified: null };
    same(await adapter.updateUserEmail(change), 'stale', 'another address');
    same(await adapter.updateUserEmail({ ...change, from: null }), 'stale', 'no address');
    const unknown = { ...change, userId: crypto.randomUUID(), from: user.email };
    same(await adapter.updateUserEmail(unknown), 'stale', 'an unknown user');
    sameUser(await adapter.getUser(user.id), user);
    nothing(await adapter.getUserByEmail(to), 'by the new address');
  });

  it('gives an address to a user without one', async (adapter) => {
    const { id: userId } = await adapter.createUser(aUser({ email: null as unknown as string }));
    const to = `${fresh('first')}@example.com`;
    const change = { userId, from: null, to, emailVerified: null };
    same(await adapter.updateUserEmail(change), 'changed', 'result');
    same((await adapter.getUserByEmail(to))?.id, userId, 'by the address');
    same(await adapter.updateUserEmail({ ...change, to: `${fresh('next')}@example.com` }), 'stale', 'once more');
  });

  it('lets an undo or a further change succeed, and not both', async (adapter) => {
    const user = await adapter.createUser(aUser());
    const [old, from] = [user.email, `${fresh('new')}@example.com`];
    const change = { userId: user.id, emailVerified: null };
    await adapter.updateUserEmail({ ...change, from: old, to: from });
    const targets = [old, `${fresh('newer')}@example.com`];
    const results = await Promise.all(targets.map((to) => adapter.updateUserEmail({ ...change, from, to })));
    same([...results].sort(), ['changed', 'stale'], 'results');
    same((await adapter.getUser(user.id))?.email, targets[results.indexOf('changed')], 'address');
    nothing(await adapter.getUserByEmail(targets[results.indexOf('stale')] ?? ''), 'by the address of the loser');
  });

  if (!unique) return;

  it('does not give the address of another user', async (adapter) => {
    const [user, other] = [await adapter.createUser(aUser()), await adapter.createUser(aUser())];
    const change = { userId: user.id, from: user.email, to: other.email, emailVerified: soon() };
    same(await adapter.updateUserEmail(change), 'taken', 'result');
    for (const one of [user, other]) {
      sameUser(await adapter.getUser(one.id), one);
      sameUser(await adapter.getUserByEmail(one.email), one, 'by address');
    }
  });

  it('gives an address to one of fifty users who want it at once', async (adapter) => {
    const users: AdapterUser[] = [];
    for (let count = 0; count < 50; count++) users.push(await adapter.createUser(aUser()));
    const to = `${fresh('wanted')}@example.com`;
    const results = await Promise.all(
      users.map(({ id, email }) => adapter.updateUserEmail({ userId: id, from: email, to, emailVerified: null })),
    );
    same(results.filter((result) => result === 'changed').length, 1, 'number of changes');
    same(results.filter((result) => result === 'taken').length, 49, 'number of refusals');
    const winner = users[results.indexOf('changed')];
    same((await adapter.getUserByEmail(to))?.id, winner?.id, 'owner of the address');
    for (const user of users.filter((one) => one !== winner))
      sameUser(await adapter.getUserByEmail(user.email), user, 'a user who was refused');
  });
}

function changedPasskeys(it: Case, { details }: Extent): void {
  it('changes the members of a passkey that are given and leaves the others', async (adapter) => {
    const user = await adapter.createUser(aUser());
    const [passkey, other] = [anAuthenticator(user.id, { createdAt: soon(-60) }), anAuthenticator(user.id)];
    for (const one of [passkey, other]) await adapter.createAuthenticator(one);
    const { credentialID } = passkey;
    const usedAt = soon();
    const used = await adapter.updateAuthenticator(credentialID, { counter: 7, usedAt });
    sameAuthenticator(used, { ...passkey, counter: 7 }, 'as used');
    const named = await adapter.updateAuthenticator(credentialID, { name: 'Ada’s key 🔑' });
    const read = await adapter.getAuthenticator(credentialID);
    for (const one of [named, read]) sameAuthenticator(one, { ...passkey, counter: 7 }, 'as renamed');
    if (details) {
      const expected = { name: 'Ada’s key 🔑', usedAt, createdAt: passkey.createdAt };
      for (const one of [named, read]) sameMembers(Object.keys(expected), one, expected, 'as renamed');
      const listed = (await adapter.listAuthenticatorsByUserId(user.id)).find((one) => one.name);
      sameMembers(Object.keys(expected), listed, expected, 'as listed');
    }
    sameAuthenticator(await adapter.getAuthenticator(other.credentialID), other, 'another passkey');
    nothing(await adapter.updateAuthenticator(fresh('unknown'), { name: 'x' }), 'an unknown passkey');
  });
}

function unlinkedPasskeys(it: Case): void {
  it('deletes the passkey of an account that is unlinked, and no other passkey', async (adapter) => {
    const { user, accounts, unlink } = await aUserWith(adapter, ['github', 'passkey', 'passkey'], 'webauthn');
    const [github, removed, kept] = accounts;
    const passkeys = [removed, kept].map(({ providerAccountId }) =>
      anAuthenticator(user.id, { credentialID: providerAccountId, providerAccountId }),
    );
    for (const passkey of passkeys) await adapter.createAuthenticator(passkey);
    same(await unlink(removed, { providers: ['passkey'] }), 'unlinked', 'the first passkey');
    nothing(await adapter.getAuthenticator(removed.providerAccountId), 'the passkey of the account');
    nothing(await adapter.getUserByAccount(accountKey(removed)), 'by the account');
    same(await unlink(kept, { providers: ['passkey'] }), 'last', 'the last passkey');
    same((await adapter.listAuthenticatorsByUserId(user.id)).length, 1, 'number of passkeys');
    same(await unlink(github, { providers: ['passkey'] }), 'unlinked', 'another account');
    check((await adapter.getAuthenticator(kept.providerAccountId)) !== null, 'the other passkey has gone');
  });
}

interface UserWithAccounts<Providers extends readonly string[]> {
  readonly user: AdapterUser;
  readonly accounts: { readonly [Index in keyof Providers]: AdapterAccount };
  unlink(
    account: AdapterAccount,
    ways: { providers?: readonly string[]; otherWays?: number },
  ): Promise<UnlinkAccountResult>;
  /** Returns the ids of the accounts by which the user is found. */
  left(): Promise<string[]>;
}

/** Creates a user with an account of each provider. All but the first have the type `type`. */
async function aUserWith<const Providers extends readonly string[]>(
  adapter: Required<Adapter>,
  providers: Providers,
  type: AdapterAccount['type'] = 'oauth',
): Promise<UserWithAccounts<Providers>> {
  const user = await adapter.createUser(aUser());
  const accounts = providers.map((provider, index) =>
    anAccount(user.id, { provider, type: index === 0 ? 'oauth' : type }),
  );
  for (const account of accounts) await adapter.linkAccount(account);
  return {
    user,
    accounts: accounts as UserWithAccounts<Providers>['accounts'],
    unlink: async (account, { providers: configured = [], otherWays = 0 }) =>
      adapter.unlinkAccountIfNotLast({
        userId: user.id,
        account: accountKey(account),
        providers: configured,
        otherWays,
      }),
    left: async () => {
      const found = await Promise.all(accounts.map((one) => adapter.getUserByAccount(accountKey(one))));
      return idsOf(accounts.filter((_, index) => found[index]?.id === user.id));
    },
  };
}

function idsOf(accounts: readonly Pick<AdapterAccount, 'providerAccountId'>[]): string[] {
  return accounts.map(({ providerAccountId }) => providerAccountId).sort();
}
