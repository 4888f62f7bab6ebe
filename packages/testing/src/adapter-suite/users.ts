import { nothing, same, sameUser } from './expect.ts';
import type { Case } from './runner.ts';
import { accountKey, anAccount, aUser, fresh, soon } from './samples.ts';

/** Cases about users. */
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

  it('creates a user who has a name and a picture of null, or none', async (adapter) => {
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

  it('finds nobody by an unknown id, address or account', async (adapter) => {
    await adapter.createUser(aUser());
    nothing(await adapter.getUser(crypto.randomUUID()), 'by id');
    nothing(await adapter.getUserByEmail(`${fresh('nobody')}@example.com`), 'by address');
    nothing(await adapter.getUserByAccount({ provider: 'github', providerAccountId: fresh('nobody') }), 'by account');
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

  it('deletes a user with their accounts, and nobody else', async (adapter) => {
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
    sameUser(await adapter.getUserByAccount(accountKey(account)), newcomer, 'whoever comes with the same account');
  });
}
