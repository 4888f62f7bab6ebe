import type { Adapter, AdapterAccount } from '@latchkey/core/adapters';
import { sql } from 'kysely';
import type { Encoded } from '../codec.ts';
import type { Query, Result, Row, SqlValue, Step } from '../dialect.ts';
import { RowNotFound, UniqueViolation } from '../errors.ts';
import { linksOf } from '../links.ts';
import { type SlotOf, statement } from '../statement.ts';
import { deleteReturning, newId, runAll, type Store, withStamps } from '../store.ts';
import { changeOf, insertedDates, insertForUser, updateOf } from '../writes.ts';
import { unlinkIfNotLast } from './unlink-if-not-last.ts';
import { insertedId, userCreation } from './users.ts';

/** The adapter's methods about accounts. */
export type AccountMethods = Required<
  Pick<
    Adapter,
    | 'linkAccount'
    | 'unlinkAccount'
    | 'unlinkAccountIfNotLast'
    | 'getAccount'
    | 'listAccountsByUserId'
    | 'updateAccount'
    | 'createUserWithAccount'
  >
>;

/** Fields that never change. The provider issues the others at each sign-in. */
const IDENTITY: ReadonlySet<string> = new Set(['provider', 'providerAccountId', 'type', 'userId']);
const LINKS = { table: 'userAccounts', field: 'accountId', of: 'accounts' } as const;

/**
 * Returns the methods about accounts. Members of an account without a column, as some providers send, are not stored.
 */
export function accountsOf(store: Store): AccountMethods {
  const accounts = store.table('accounts');
  const statements = statementsOf(store);
  const createUser = userCreation(store);
  const keyOf = (provider: unknown, providerAccountId: unknown): Encoded => ({
    provider: accounts.lookup('provider', provider),
    providerAccountId: accounts.lookup('providerAccountId', providerAccountId),
  });

  /**
   * Runs steps that insert an account. If another program has deleted the user of an account but not the account, the
   * old row is removed first. Otherwise its owner could not sign in any more.
   */
  async function insert(steps: readonly Step[], row: Encoded, check: Check): Promise<readonly Result[]> {
    try {
      return await runAll(store, steps, check);
    } catch (error) {
      if (!(error instanceof UniqueViolation)) throw error;
      const removed = await runAll(store, statements.removeOrphan(row));
      if (!removed.at(-1)?.affected) throw error;
      return await runAll(store, steps, check);
    }
  }

  return {
    linkAccount: async (account) => {
      const row = accountRow(store, account, accounts.required('userId', 'accounts.userId', account.userId));
      await insert([statements.insert(row), ...statements.link(row)], row, ([inserted]) => {
        if (!inserted?.affected) throw new RowNotFound('the account cannot be linked: no user has this id');
      });
      return Object.assign(readAccount(store, { ...row, createdAt: null }), insertedDates(accounts, account));
    },
    unlinkAccount: async ({ provider, providerAccountId }) => {
      const key = keyOf(provider, providerAccountId);
      const deleted = deleteReturning(store.dialect, statements.deletion, key);
      const row = deleted.row(await runAll(store, [...statements.unlink(key), ...deleted.steps]));
      return row && readAccount(store, row);
    },
    getAccount: async (providerAccountId, provider) => {
      const [row] = (await store.run(statements.deletion.select(keyOf(provider, providerAccountId)))).rows;
      const account = row && readAccount(store, row);
      return account?.userId ? account : null;
    },
    listAccountsByUserId: async (userId) => {
      const { rows } = await store.run(statements.byUser({ userId: accounts.lookup('userId', userId) }));
      return rows.map((row) => readAccount(store, row));
    },
    unlinkAccountIfNotLast: unlinkIfNotLast(store),
    // The key contains the owner, so that tokens are not written to an account that has been linked to another user.
    updateAccount: async (account) => {
      const key = {
        ...keyOf(account.provider, account.providerAccountId),
        userId: accounts.lookup('userId', account.userId),
      };
      const issued = Object.fromEntries(Object.entries(account).filter(([member]) => !IDENTITY.has(member)));
      await runAll(store, statements.update(changeOf(store, accounts, issued, key)));
    },
    createUserWithAccount: async (user, account) => {
      const { id, insert: insertUser, clear, select, created } = createUser(user);
      const row = accountRow(store, account, id);
      const insertAccount = (results: readonly Result[]): Query =>
        statements.insert({ ...row, userId: insertedId({ id }, results[0]) });
      const steps = [insertUser, ...clear, insertAccount, ...statements.link(row), ...select];
      const results = await insert(steps, row, (done) => {
        if (!done[1 + clear.length]?.affected)
          throw new RowNotFound('the account cannot be linked: its user was not created');
      });
      return created(results);
    },
  };
}

type Check = (results: readonly Result[]) => void;

function accountRow(store: Store, account: Partial<AdapterAccount>, userId: SqlValue): Encoded {
  const accounts = store.table('accounts');
  return withStamps(store, accounts, {
    ...accounts.encode({ ...account, userId: null }, ['provider', 'providerAccountId']),
    id: newId(store),
    link: newId(store),
    userId,
  });
}

/** Returns the account of a row, without the members that have no value. */
function readAccount(store: Store, row: Row): AdapterAccount {
  const { provider, providerAccountId, type, userId, ...others } = store.table('accounts').read(row);
  const given = Object.entries(others).filter(([, value]) => value !== null);
  return {
    ...Object.fromEntries(given),
    provider: provider ?? '',
    providerAccountId: providerAccountId ?? '',
    type: type as AdapterAccount['type'],
    userId: userId ?? '',
  };
}

function statementsOf(store: Store) {
  const { write } = store;
  const [accounts, users] = [store.table('accounts'), store.table('users')];
  const isRow = (slot: SlotOf<Encoded>) =>
    sql<boolean>`${accounts.is('provider', slot('provider'))} and ${accounts.is('providerAccountId', slot('providerAccountId'))}`;
  const isOrphan = (slot: SlotOf<Encoded>) =>
    sql<boolean>`${isRow(slot)} and not exists (select 1 from ${sql.table(users.name)} where ${users.ref('id')} = ${accounts.ref('userId')})`;
  const remove = (slot: SlotOf<Encoded>) => write.deleteFrom(accounts.name).where(isRow(slot));
  const removeOrphan = statement<Encoded>((slot) => write.deleteFrom(accounts.name).where(isOrphan(slot)));
  const orphanLinks = linksOf(store, LINKS, isOrphan);

  return {
    insert: insertForUser(store, accounts),
    byUser: statement<Encoded>((slot) =>
      write
        .selectFrom(accounts.name)
        .select(accounts.selectAll())
        .where(accounts.is('userId', slot('userId'))),
    ),
    update: updateOf(store, accounts, {
      fields: accounts.fields.filter((field) => !IDENTITY.has(field)),
      key: ['provider', 'providerAccountId', 'userId'],
    }),
    deletion: {
      select: statement<Encoded>((slot) =>
        write.selectFrom(accounts.name).select(accounts.selectAll()).where(isRow(slot)),
      ),
      delete: statement<Encoded>((slot) => remove(slot)),
      returning: statement<Encoded>((slot) => remove(slot).returning(accounts.selectAll())),
    },
    removeOrphan: (row: Encoded): Query[] => [...orphanLinks.unlink(row), removeOrphan(row)],
    ...linksOf(store, LINKS, isRow),
  };
}
