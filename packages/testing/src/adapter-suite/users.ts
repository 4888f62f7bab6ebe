import type { AdapterAuthenticator } from '@latchkey/core/adapters';
import { nothing, refused, same, sameAccount, sameAuthenticator, sameUser } from './expect.ts';
import type { Case } from './runner.ts';
import { accountKey, anAccount, anAuthenticator, aUser, fresh, soon } from './samples.ts';

/** Registers the cases about users. */
export function users(it: Case): void {
  it('creates a user and finds them by id and by address', async (adapter) => {
    const given = aUser({ emailVerified: soon() });
    const user = await adapter.createUser(given);
    sameUser(user, { ...given, id: user.id });
    sameUser(await adapter.getUser(user.id), user, 'by id');
    sameUser(await adapter.getUserByEmail(given.email), user, 'by address');
  });

  it('keeps emailVerified to the millisecond, as a Date or null', async (adapter) => {
    const at = soon();
    const verified = await adapter.createUser(aUser({ emailVerified: at }));
    const unverified = await adapter.createUser(aUser({ emailVerified: null }));
    same((await adapter.getUser(verified.id))?.emailVerified, at, 'emailVerified');
    same((await adapter.getUser(unverified.id))?.emailVerified, null, 'emailVerified');
  });

  it('creates a user whose name and picture are null or absent', async (adapter) => {
    const bare = await adapter.createUser({
      id: crypto.randomUUID(),
      email: `${fresh('bare')}@example.com`,
      emailVerified: null,
    });
    const nulls = await adapter.createUser(aUser({ name: null, image: null }));
    for (const { id } of [bare, nulls]) {
      const user = await adapter.getUser(id);
      nothing(user?.name, 'name');
      nothing(user?.image, 'image');
    }
  });

  it('finds no user by an unknown id, address or account', async (adapter) => {
    await adapter.createUser(aUser());
    nothing(await adapter.getUser(crypto.randomUUID()), 'by id');
    nothing(await adapter.getUserByEmail(`${fresh('unknown')}@example.com`), 'by address');
    nothing(await adapter.getUserByAccount({ provider: 'github', providerAccountId: fresh('unknown') }), 'by account');
  });

  it('updates the members that are given and leaves the others', async (adapter) => {
    const user = await adapter.createUser(aUser());
    const other = await adapter.createUser(aUser());
    const at = soon();
    sameUser(await adapter.updateUser({ id: user.id, name: 'Countess' }), { ...user, name: 'Countess' });
    sameUser(await adapter.updateUser({ id: user.id, emailVerified: at }), {
      ...user,
      name: 'Countess',
      emailVerified: at,
    });
    sameUser(await adapter.getUser(user.id), { ...user, name: 'Countess', emailVerified: at });
    sameUser(await adapter.getUser(other.id), other, 'another user');
  });

  it('does not share objects with its caller', async (adapter) => {
    const given = aUser({ emailVerified: soon() });
    const email = given.email;
    const { id } = await adapter.createUser(given);
    given.name = 'changed by the caller';
    given.emailVerified?.setTime(0);
    const read = await adapter.getUser(id);
    if (read) read.name = 'changed by a reader';
    const again = await adapter.getUserByEmail(email);
    same(again?.name, 'Ada Lovelace', 'name');
    same(again?.emailVerified?.getUTCMilliseconds(), 457, 'milliseconds of emailVerified');
  });

  it('deletes a user with their accounts, and no other user', async (adapter) => {
    const user = await adapter.createUser(aUser());
    const other = await adapter.createUser(aUser());
    const [account, othersAccount] = [anAccount(user.id), anAccount(other.id)];
    for (const one of [account, othersAccount]) await adapter.linkAccount(one);

    await adapter.deleteUser(user.id);
    nothing(await adapter.getUser(user.id), 'by id');
    nothing(await adapter.getUserByEmail(user.email), 'by address');
    nothing(await adapter.getUserByAccount(accountKey(account)), 'by account');
    sameUser(await adapter.getUserByAccount(accountKey(othersAccount)), other, 'another user');

    const newcomer = await adapter.createUser(aUser({ email: user.email }));
    await adapter.linkAccount({ ...account, userId: newcomer.id });
    sameUser(await adapter.getUserByAccount(accountKey(account)), newcomer, 'a new user with the same account');
  });
}

/** Registers the cases about accounts. */
export function accounts(it: Case): void {
  it('links an account and finds the user by it', async (adapter) => {
    const user = await adapter.createUser(aUser());
    const account = anAccount(user.id);
    await adapter.linkAccount(account);
    sameUser(await adapter.getUserByAccount(accountKey(account)), user);
  });

  it('identifies an account by both parts of its key', async (adapter) => {
    const user = await adapter.createUser(aUser());
    const account = anAccount(user.id);
    await adapter.linkAccount(account);
    const { provider, providerAccountId } = account;
    nothing(await adapter.getUserByAccount({ provider: 'gitlab', providerAccountId }), 'at another provider');
    nothing(await adapter.getUserByAccount({ provider, providerAccountId: fresh('other') }), 'under another id');
    nothing(
      await adapter.getUserByAccount({ provider: providerAccountId, providerAccountId: provider }),
      'with the parts swapped',
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

/** Registers the case about `getAccount`, which passkeys need. */
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

/** Registers the cases about WebAuthn authenticators. */
export function authenticators(it: Case): void {
  it('creates an authenticator and finds it by its credential', async (adapter) => {
    const user = await adapter.createUser(aUser());
    const authenticator = anAuthenticator(user.id);
    sameAuthenticator(await adapter.createAuthenticator(authenticator), authenticator, 'as created');
    sameAuthenticator(await adapter.getAuthenticator(authenticator.credentialID), authenticator, 'as read');
    nothing(await adapter.getAuthenticator(fresh('unknown')), 'by an unknown credential');
  });

  it('lists the authenticators of a user', async (adapter) => {
    const user = await adapter.createUser(aUser());
    const other = await adapter.createUser(aUser());
    const own = [anAuthenticator(user.id), anAuthenticator(user.id, { transports: null })];
    for (const one of [...own, anAuthenticator(other.id)]) await adapter.createAuthenticator(one);
    const listed = await adapter.listAuthenticatorsByUserId(user.id);
    const ids = (rows: readonly AdapterAuthenticator[]): string[] => rows.map((row) => row.credentialID).sort();
    same(ids(listed), ids(own), 'credentials');
    same(await adapter.listAuthenticatorsByUserId(fresh('unknown')), [], 'of an unknown user');
  });

  it('stores the counter of an authenticator', async (adapter) => {
    const user = await adapter.createUser(aUser());
    const { credentialID } = await adapter.createAuthenticator(anAuthenticator(user.id));
    same((await adapter.updateAuthenticatorCounter(credentialID, 7)).counter, 7, 'counter');
    same((await adapter.getAuthenticator(credentialID))?.counter, 7, 'counter as read');
    await refused(() => adapter.updateAuthenticatorCounter(fresh('unknown'), 1), 'an unknown credential');
  });
}

/** Registers the case about `deleteAuthenticator`, which Latchkey adds to the methods of Auth.js v5. */
export function deletedAuthenticators(it: Case): void {
  it('deletes an authenticator and leaves the others', async (adapter) => {
    const user = await adapter.createUser(aUser());
    const [removed, kept] = [anAuthenticator(user.id), anAuthenticator(user.id)];
    for (const one of [removed, kept]) await adapter.createAuthenticator(one);
    await adapter.deleteAuthenticator(removed.credentialID);
    nothing(await adapter.getAuthenticator(removed.credentialID), 'the deleted authenticator');
    const listed = await adapter.listAuthenticatorsByUserId(user.id);
    same(
      listed.map(({ credentialID }) => credentialID),
      [kept.credentialID],
      'authenticators of the user',
    );
    await adapter.deleteAuthenticator(removed.credentialID);
    await adapter.createAuthenticator(removed);
    sameAuthenticator(await adapter.getAuthenticator(removed.credentialID), removed, 'stored again');
  });
}
