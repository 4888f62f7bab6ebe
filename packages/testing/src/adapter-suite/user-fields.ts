import type { AdapterUser, UserFieldDefinitions, UserFieldKind } from '@latchkey/core/adapters';
import { check, nothing, outcome, sameMembers } from './expect.ts';
import type { Case } from './runner.ts';
import { accountKey, anAccount, aSession, aUser, soon } from './samples.ts';

/** The other groups of methods that the cases may use. */
interface Methods {
  readonly sessions: boolean;
  readonly optional: boolean;
}

/**
 * Registers the cases about further columns of users.
 *
 * @param definitions The further columns that the store under test has.
 */
export function userFields(it: Case, definitions: UserFieldDefinitions, methods: Methods): void {
  const kinds = Object.entries(definitions).map(
    ([name, definition]) => [name, typeof definition === 'string' ? definition : definition.type] as const,
  );
  const names = kinds.map(([name]) => name);
  const values = (index: 0 | 1): object =>
    Object.fromEntries(kinds.map(([name, kind]) => [name, SAMPLES[kind][index]]));
  const nulls = Object.fromEntries(names.map((name) => [name, null]));
  const same = (actual: AdapterUser | null | undefined, expected: object, what: string): void =>
    sameMembers(names, actual, expected, what);

  it('stores further members of a user, and each method returns them', async (adapter) => {
    const user = { ...aUser(), ...values(0) };
    const created = await adapter.createUser(user);
    same(created, user, 'as created');
    same(await adapter.getUser(created.id), user, 'by id');
    same(await adapter.getUserByEmail(user.email), user, 'by address');
    const account = anAccount(created.id);
    await adapter.linkAccount(account);
    same(await adapter.getUserByAccount(accountKey(account)), user, 'by account');
    if (methods.sessions) {
      const session = await adapter.createSession(aSession(created.id));
      same((await adapter.getSessionAndUser(session.sessionToken))?.user, user, 'by session');
    }
  });

  it('updates further members that are given and leaves the others', async (adapter) => {
    const user = { ...aUser(), ...values(0) };
    const { id } = await adapter.createUser(user);
    same(await adapter.updateUser({ id, name: 'Countess' }), user, 'after another update');
    for (const [name] of kinds) {
      const change = { [name]: Reflect.get(values(1), name) };
      Object.assign(user, change);
      same(await adapter.updateUser({ id, ...change }), user, `after an update of ${name}`);
    }
    same(await adapter.getUser(id), values(1), 'as read');
    same(await adapter.updateUser({ id, ...nulls }), nulls, 'after an update to null');
    same(await adapter.getUser(id), nulls, 'as read, null');
  });

  it('creates a user without further members', async (adapter) => {
    const { id } = await adapter.createUser(aUser());
    same(await adapter.getUser(id), nulls, 'as read');
    same(await adapter.updateUser({ id, ...values(1) }), values(1), 'as updated');
  });

  it('leaves out a member that is not listed', async (adapter) => {
    const { id } = await adapter.createUser({ ...aUser(), ...values(0), ...UNLISTED });
    await adapter.updateUser({ id, ...UNLISTED });
    const user = await adapter.getUser(id);
    same(user, values(0), 'listed members');
    for (const name of Object.keys(UNLISTED)) nothing(user && Reflect.get(user, name), name);
  });

  for (const [name, kind] of kinds) {
    if (kind === 'json') continue;
    it(`refuses a value of another kind for ${name}, and names the member`, async (adapter) => {
      const user = { ...aUser(), [name]: WRONG[kind] };
      const { id } = await adapter.createUser(aUser());
      for (const work of [() => adapter.createUser(user), () => adapter.updateUser({ id, [name]: WRONG[kind] })]) {
        const done = await outcome(work);
        check(!done.ok, `expected a rejection of ${kind} ${String(WRONG[kind])}`);
        check(done.error instanceof TypeError, `expected a TypeError, got ${String(done.error)}`);
        check(done.error.message.includes(name), `expected the message to name ${name}: ${done.error.message}`);
      }
      nothing(await adapter.getUserByEmail(user.email), 'the refused user');
      same(await adapter.getUser(id), nulls, 'the user after the refused update');
    });
  }

  if (!methods.optional) return;
  it('stores further members of a user who is created with an account', async (adapter) => {
    const user = { ...aUser(), ...values(0) };
    const { userId: _, ...account } = anAccount(user.id);
    same(await adapter.createUserWithAccount(user, account), user, 'as created');
    same(await adapter.getUserByAccount(accountKey(account)), user, 'by account');
  });
}

/** Two values of each kind. */
const SAMPLES: Readonly<Record<UserFieldKind, readonly [unknown, unknown]>> = {
  text: ['O\'Brien "ä" 👩‍🚀 \\n', '2026-01-01T00:00:00.000Z'],
  number: [36, 0],
  boolean: [true, false],
  date: [soon(), new Date('2001-02-03T04:05:06.007Z')],
  json: [{ list: [1, 'two', null, { three: true }], text: '{}' }, ['a', 2]],
};

/** A value of another kind. */
const WRONG: Readonly<Record<Exclude<UserFieldKind, 'json'>, unknown>> = {
  text: 5,
  number: 'five',
  boolean: 'yes',
  date: 'yesterday',
};

const UNLISTED = { notListed: 'dropped' };
