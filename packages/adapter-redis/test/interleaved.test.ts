import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { available } from '../../../test/services/index.ts';
import { RedisAdapter, RowNotFound, UniqueViolation } from '../src/index.ts';
import { type Recorded, recorded } from './recorded.ts';
import { ada, github, later } from './samples.ts';
import { subject } from './subject.ts';

/** The users who exist, and those who are created. The id of a deleted user is not used again: ids are random. */
const old = ['u1', 'u2'];
const young = ['u3', 'u4'];
const ids = [...old, ...young];
const emails = ['a', 'b'];
const numbers = ['1', '2'];
const tokens = ['s1', 's2'];
const { userId: _, ...account } = github;

const id = fc.constantFrom(...ids);
const email = fc.constantFrom(...emails);
const number = fc.constantFrom(...numbers);
const token = fc.constantFrom(...tokens);

/** One call of the adapter. */
type Work = (adapter: RedisAdapter) => unknown;

type Works = readonly fc.Arbitrary<[title: string, work: Work]>[];

const creations = (whose: readonly string[]): Works => [
  fc
    .tuple(fc.constantFrom(...whose), email)
    .map(([id, email]) => [`create ${id} ${email}`, (a) => a.createUser({ ...ada, id, email })]),
  fc
    .tuple(fc.constantFrom(...whose), email, number)
    .map(([id, email, providerAccountId]) => [
      `create ${id} ${email} with ${providerAccountId}`,
      (a) => a.createUserWithAccount({ ...ada, id, email }, { ...account, providerAccountId }),
    ]),
];

const changes: Works = [
  fc.tuple(id, email).map(([id, email]) => [`update ${id} ${email}`, (a) => a.updateUser({ id, email })]),
  fc.constantFrom(...old).map((id) => [`delete ${id}`, (a) => a.deleteUser(id)]),
  fc
    .tuple(id, number)
    .map(([userId, providerAccountId]) => [
      `link ${userId} ${providerAccountId}`,
      (a) => a.linkAccount({ ...github, userId, providerAccountId }),
    ]),
  number.map((providerAccountId) => [
    `unlink ${providerAccountId}`,
    (a) => a.unlinkAccount({ ...github, providerAccountId }),
  ]),
  fc.tuple(id, number, fc.constantFrom(0, 1)).map(([userId, providerAccountId, otherWays]) => [
    `unlink ${providerAccountId} of ${userId} with ${otherWays} other ways`,
    (a) =>
      a.unlinkAccountIfNotLast({
        userId,
        account: { provider: 'github', providerAccountId },
        providers: ['github'],
        otherWays,
      }),
  ]),
  fc
    .tuple(id, number)
    .map(([userId, providerAccountId]) => [
      `tokens ${userId} ${providerAccountId}`,
      (a) => a.updateAccount({ ...github, userId, providerAccountId }),
    ]),
  fc
    .tuple(id, email, email)
    .map(([userId, from, to]) => [
      `change ${userId} from ${from} to ${to}`,
      (a) => a.updateUserEmail({ userId, from, to, emailVerified: null }),
    ]),
  fc
    .tuple(id, token)
    .map(([userId, sessionToken]) => [
      `session ${userId} ${sessionToken}`,
      (a) => a.createSession({ sessionToken, userId, expires: later }),
    ]),
  token.map((sessionToken) => [`sign out ${sessionToken}`, (a) => a.deleteSession(sessionToken)]),
];

describe.skipIf(!(await available('redis'))).each(['all', 'user'] as const)(
  'in any order of commands, tag %s',
  (tag) => {
    const redis = subject();

    it('several calls at once leave consistent rows', async () => {
      const before = fc.array(fc.oneof(...creations(old)), { maxLength: 4 });
      const atOnce = fc.array(fc.oneof(...creations(young), ...changes), { minLength: 2, maxLength: 4 });
      let round = 0;
      await fc.assert(
        fc.asyncProperty(fc.scheduler(), before, atOnce, async (scheduler, first, then) => {
          round += 1;
          const client = recorded(redis());
          const adapter = RedisAdapter(client.client, { prefix: `${redis().prefix}${round}:`, tag });
          for (const [, work] of first) await attempt(adapter, work);
          client.before = ([name]) => scheduler.schedule(Promise.resolve(), name);
          await scheduler.waitFor(Promise.all(then.map(([, work]) => attempt(adapter, work))));
          client.before = () => undefined;
          await checkConsistency(adapter);
        }),
        { numRuns: 80 },
      );
    });

    it('an account that is linked again while it is unlinked is in the list of its user', async () => {
      const client = recorded(redis());
      const adapter = RedisAdapter(client.client, { prefix: redis().prefix, tag });
      await adapter.createUserWithAccount(ada, account);
      const { provider, providerAccountId } = github;
      let changes = 0;
      client.before = async ([name]) => {
        // The list was written by the first change with the tag `user`, and the row was not.
        if (name !== 'EVALSHA' || ++changes !== (tag === 'all' ? 1 : 2)) return;
        client.before = () => undefined;
        const way = { userId: 'ada', account: { provider, providerAccountId }, providers: [], otherWays: 1 };
        expect(await adapter.unlinkAccountIfNotLast(way)).toBe('unlinked');
      };
      await adapter.linkAccount(github);
      expect(await adapter.listAccountsByUserId('ada')).toEqual([github]);
    });

    it('a way in is left if one account is unlinked twice at once, and the other one as well', async () => {
      const connections = [recorded(redis()), recorded(redis()), recorded(redis())] as const;
      const [once, twice, other] = connections.map(({ client }) =>
        RedisAdapter(client, { prefix: redis().prefix, tag }),
      );
      const unlink = (by: RedisAdapter | undefined, providerAccountId: string) =>
        by?.unlinkAccountIfNotLast({
          userId: 'ada',
          account: { provider: 'github', providerAccountId },
          providers: ['github'],
          otherWays: 0,
        });
      await once?.createUserWithAccount(ada, account);
      await once?.linkAccount({ ...github, providerAccountId: '2' });
      // The call for the other account has read both accounts, and writes last. With the tag `user`, the first call
      // stops after its first step, and the second one deletes the row meanwhile.
      const theOther = pauseAt(connections[2], 1);
      const last = unlink(other, '2');
      await theOther.reached;
      const first = pauseAt(connections[0], tag === 'all' ? 1 : 2);
      const done = unlink(once, '1');
      await first.reached;
      expect(await unlink(twice, '1')).toBe('unlinked');
      first.go();
      expect(await done).toBe('missing');
      theOther.go();
      expect(await last).toBe('last');
      expect(await once?.listAccountsByUserId('ada')).toEqual([{ ...github, providerAccountId: '2' }]);
    });
  },
);

/** Holds a client back before one of its changes. */
function pauseAt(client: Recorded, change: number): { readonly reached: Promise<void>; go(): void } {
  let go = (): void => undefined;
  const isLetGo = new Promise<void>((resolve) => {
    go = resolve;
  });
  let changes = 0;
  const reached = new Promise<void>((resolve) => {
    client.before = async ([name]) => {
      if (name !== 'EVALSHA' || ++changes !== change) return;
      resolve();
      await isLetGo;
    };
  });
  return { reached, go };
}

/** Does the work. The adapter may refuse it with one of two errors. */
async function attempt(adapter: RedisAdapter, work: Work): Promise<void> {
  try {
    await work(adapter);
  } catch (error) {
    if (!(error instanceof UniqueViolation || error instanceof RowNotFound)) throw error;
  }
}

async function checkConsistency(adapter: RedisAdapter): Promise<void> {
  const users = (await Promise.all(ids.map((id) => adapter.getUser(id)))).filter((user) => user !== null);
  const userIds = users.map(({ id }) => id);
  expect(new Set(users.map(({ email }) => email)).size, 'users with one address').toBe(users.length);
  await each(emails, async (email) => {
    expect((await adapter.getUserByEmail(email))?.id, email).toBe(users.find((user) => user.email === email)?.id);
  });
  await each(numbers, async (providerAccountId) => {
    const owner = (await adapter.getUserByAccount({ ...github, providerAccountId }))?.id;
    expect((await adapter.getAccount(providerAccountId, 'github'))?.userId).toBe(owner);
    if (owner !== undefined) expect(userIds).toContain(owner);
  });
  await each(users, async ({ id }) => {
    const owned = await Promise.all(numbers.map((one) => adapter.getAccount(one, 'github')));
    const expected = owned.flatMap((one) => (one?.userId === id ? [one.providerAccountId] : []));
    const listed = (await adapter.listAccountsByUserId(id)).map(({ providerAccountId }) => providerAccountId);
    expect(listed.sort(), 'the accounts of a user').toEqual(expected);
  });
  await each(tokens, async (token) => {
    const owner = (await adapter.getSessionAndUser(token))?.user.id;
    if (owner !== undefined) expect(userIds).toContain(owner);
  });
  // The lists of a user are complete: deleting the user deletes all rows. A row left behind would be valid for a user
  // with the same id.
  await each(users, ({ id }) => adapter.deleteUser(id));
  await each(users, async ({ id, email }) => {
    await adapter.createUser({ ...ada, id, email });
    expect((await adapter.getUserByEmail(email))?.id).toBe(id);
  });
  await each(numbers, async (one) => {
    expect(await adapter.getAccount(one, 'github'), 'an account left behind').toBeNull();
  });
  await each(tokens, async (one) => {
    expect(await adapter.getSessionAndUser(one), 'a session left behind').toBeNull();
  });
}

async function each<T>(all: readonly T[], work: (one: T) => unknown): Promise<void> {
  await Promise.all(all.map(work));
}
