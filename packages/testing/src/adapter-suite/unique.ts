import { check, nothing, outcome, refused, same, sameUser } from './expect.ts';
import type { Case } from './runner.ts';
import { accountKey, anAccount, aSession, aToken, aUser } from './samples.ts';

/** Registers the cases about rows with the same key. */
export function unique(it: Case): void {
  it('refuses a second user with the same address', async (adapter) => {
    const user = await adapter.createUser(aUser());
    const other = await adapter.createUser(aUser());
    const second = aUser({ email: user.email });
    await refused(() => adapter.createUser(second), 'the second user');
    nothing(await adapter.getUser(second.id), 'the second user');
    await refused(() => adapter.updateUser({ id: other.id, email: user.email }), 'a change to the same address');
    sameUser(await adapter.getUserByEmail(user.email), user, 'the first user');
  });

  it('allows any number of users without an address', async (adapter) => {
    for (const email of [undefined, null, undefined] as unknown as string[]) {
      const { id } = await adapter.createUser(aUser({ email }));
      nothing((await adapter.getUser(id))?.email, 'address');
    }
  });

  it('refuses to link an account twice', async (adapter) => {
    const user = await adapter.createUser(aUser());
    const other = await adapter.createUser(aUser());
    const account = anAccount(user.id);
    await adapter.linkAccount(account);
    await refused(() => adapter.linkAccount({ ...account, userId: other.id }), 'the second link');
    sameUser(await adapter.getUserByAccount(accountKey(account)), user);
  });

  it('refuses a second verification token with the same key', async (adapter) => {
    const token = aToken();
    await adapter.createVerificationToken(token);
    await refused(() => adapter.createVerificationToken(token), 'the second token');
  });

  it('creates one user for fifty simultaneous calls', async (adapter) => {
    const { email } = aUser();
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, () => outcome(() => adapter.createUser(aUser({ email })))),
    );
    const created = outcomes.flatMap((one) => (one.ok ? [one.value] : []));
    same(created.length, 1, 'number of users');
    check(created[0]?.id === (await adapter.getUserByEmail(email))?.id, 'the user found is not the one created');
  });
}

/** Registers the case about sessions with the same token. */
export function uniqueSessions(it: Case): void {
  it('refuses a second session with the same token', async (adapter) => {
    const [user, other] = [await adapter.createUser(aUser()), await adapter.createUser(aUser())];
    const session = aSession(user.id);
    await adapter.createSession(session);
    await refused(() => adapter.createSession({ ...session, userId: other.id }), 'the second session');
    sameUser((await adapter.getSessionAndUser(session.sessionToken))?.user, user, 'user of the first session');
  });
}
