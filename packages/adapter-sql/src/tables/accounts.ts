import type { Adapter, AdapterAccount } from '@latchkey/core/adapters';
import { sql } from 'kysely';
import { type Encoded, idOf, numberOf, textOf } from '../codec.ts';
import type { Query, Result, Row, Step } from '../dialect.ts';
import { RowNotFound, UniqueViolation } from '../errors.ts';
import { insertForUser, stamped } from '../insert.ts';
import { linksOf } from '../links.ts';
import { type SlotOf, statement } from '../statement.ts';
import { newId, runAll, type Store, taking } from '../store.ts';
import { changeOf, changes } from '../update.ts';
import { insertedId, insertedUser, insertUser, userRow } from './users.ts';

/** Methods about accounts. */
export type AccountMethods = Required<
  Pick<Adapter, 'linkAccount' | 'unlinkAccount' | 'getAccount' | 'updateAccount' | 'createUserWithAccount'>
>;

const TEXTS = ['access_token', 'id_token', 'refresh_token', 'scope', 'session_state', 'token_type'] as const;
const TOKENS = ['expires_at', ...TEXTS] as const;
const LINKS = { table: 'userAccounts', field: 'accountId', of: 'accounts' } as const;
const FIELDS = ['provider', 'providerAccountId', 'type', 'userId', ...TOKENS] as const;

/** The accounts of a database. Members of an account that have no column, as a provider may send, are not kept. */
export function accountsOf(store: Store): AccountMethods {
  const accounts = store.table('accounts');
  const statements = statementsOf(store);
  const keyOf = (provider: unknown, providerAccountId: unknown): Encoded => ({
    provider: accounts.lookup('provider', provider),
    providerAccountId: accounts.lookup('providerAccountId', providerAccountId),
  });
  const insertion = (row: Encoded): Step[] => [statements.insert(row), ...statements.link(row)];

  /**
   * An account whose user was deleted behind the adapter's back would shut its owner out for good. It is nobody's: when it
   * is what stands in the way, it goes.
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
      const row = accountRow(store, account);
      await insert(insertion(row), row, ([inserted]) => {
        if (!inserted?.affected) throw new RowNotFound('there is no user of this id to link the account to');
      });
      return readAccount(row);
    },
    unlinkAccount: async ({ provider, providerAccountId }) => {
      const key = keyOf(provider, providerAccountId);
      const taken = taking(store.dialect, statements.deletion, key);
      const row = taken.row(await runAll(store, [...statements.unlink(key), ...taken.steps]));
      return row && readAccount(row);
    },
    getAccount: async (providerAccountId, provider) => {
      const [row] = (await store.run(statements.deletion.select(keyOf(provider, providerAccountId)))).rows;
      return row && idOf(row, 'userId') !== null ? readAccount(row) : null;
    },
    // The row is named by account and owner: tokens never get to an account that has changed hands meanwhile. Nobody asks for
    // the row afterwards, and reading it would take another statement where an update returns none.
    updateAccount: async (account) => {
      const key = {
        ...keyOf(account.provider, account.providerAccountId),
        userId: accounts.lookup('userId', account.userId),
      };
      await runAll(store, statements.update(changeOf(store, accounts, account, TOKENS, key)));
    },
    createUserWithAccount: async (user, account) => {
      const created = userRow(store, user);
      // The owner of the account is the user who is being made, and has no id yet where the database makes it.
      const row = accountRow(store, account, created['id'] ?? null);
      const owned = (results: readonly Result[]): Encoded => ({
        ...row,
        userId: insertedId(created, results[0] as Result),
      });
      const [first, ...links] = insertion(row);
      const steps =
        created['id'] === null
          ? [(results: readonly Result[]) => statements.insert(owned(results)), ...links]
          : [first as Step, ...links];
      const results = await insert([statements.insertUser(created), ...steps], row, (done) => {
        if (!done[1]?.affected) throw new RowNotFound('the user was not there to link the account to');
      });
      return insertedUser(user, created, results[0] as Result);
    },
  };
}

type Check = (results: readonly Result[]) => void;

function accountRow(store: Store, account: object & Partial<AdapterAccount>, owner?: Encoded[string]): Encoded {
  const accounts = store.table('accounts');
  return stamped(store, accounts, {
    ...accounts.encode({ ...account, userId: null }, FIELDS),
    id: newId({ ids: store.shape.ids, codec: store.codec }),
    link: newId({ ids: store.shape.ids, codec: store.codec }),
    userId: owner === undefined ? accounts.required('userId', 'account.userId', account.userId) : owner,
    provider: accounts.required('provider', 'account.provider', account.provider),
    providerAccountId: accounts.required('providerAccountId', 'account.providerAccountId', account.providerAccountId),
  });
}

/** An account without the members that it has no value for. */
function readAccount(row: Row): AdapterAccount {
  const account: Record<string, string | number> = {};
  for (const field of TEXTS) {
    const value = textOf(row, field);
    if (value !== null) account[field] = value;
  }
  const expiresAt = numberOf(row, 'expires_at');
  if (expiresAt !== null) account['expires_at'] = expiresAt;
  return {
    ...account,
    provider: textOf(row, 'provider') ?? '',
    providerAccountId: textOf(row, 'providerAccountId') ?? '',
    type: textOf(row, 'type') as AdapterAccount['type'],
    userId: idOf(row, 'userId') ?? '',
  };
}

function statementsOf(store: Store) {
  const { write } = store;
  const [accounts, users] = [store.table('accounts'), store.table('users')];
  const isKey = (slot: SlotOf<Encoded>) =>
    sql<boolean>`${accounts.is('provider', slot('provider'))} and ${accounts.is('providerAccountId', slot('providerAccountId'))}`;
  const isOrphan = (slot: SlotOf<Encoded>) =>
    sql<boolean>`${isKey(slot)} and not exists (select 1 from ${sql.table(users.name)} where ${users.ref('id')} = ${accounts.ref('userId')})`;
  const read = accounts.read(...FIELDS);
  const deleted = (slot: SlotOf<Encoded>) => write.deleteFrom(accounts.name).where(isKey(slot));
  const deleteOrphan = statement<Encoded>((slot) => write.deleteFrom(accounts.name).where(isOrphan(slot)));
  const orphanLinks = linksOf(store, LINKS, isOrphan);

  return {
    insertUser: insertUser(store),
    insert: insertForUser(store, accounts, ['id', ...FIELDS.filter((field) => field !== 'userId')]),
    update: changes(store, accounts, {
      fields: TOKENS,
      key: ['provider', 'providerAccountId', 'userId'],
    }),
    deletion: {
      select: statement<Encoded>((slot) => write.selectFrom(accounts.name).select(read).where(isKey(slot))),
      delete: statement<Encoded>((slot) => deleted(slot)),
      returning: statement<Encoded>((slot) => deleted(slot).returning(read)),
    },
    removeOrphan: (row: Encoded): Query[] => [...orphanLinks.unlink(row), deleteOrphan(row)],
    ...linksOf(store, LINKS, isKey),
  };
}
