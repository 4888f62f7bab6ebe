import type { Adapter, AdapterAccount } from '@latchkey/core/adapters';
import type { Kysely } from 'kysely';
import type { Dialect, Query, Row } from '../dialect.ts';
import { RowNotFound, UniqueViolation } from '../errors.ts';
import type { Tables } from '../schema.ts';
import { statement } from '../statement.ts';
import type { Store } from '../store.ts';
import { type Encoded, encodeRow, lookup, numberOf, required, textOf } from '../values.ts';
import { changed, insertUser, readUser, userRow } from './users.ts';

/** Methods about accounts. */
export type AccountMethods = Required<
  Pick<Adapter, 'linkAccount' | 'unlinkAccount' | 'getAccount' | 'updateAccount' | 'createUserWithAccount'>
>;

const TOKENS = ['access_token', 'id_token', 'refresh_token', 'scope', 'session_state', 'token_type'] as const;

/** The accounts of a database. Members of an account that have no column, as a provider may send, are not kept. */
export function accountsOf(store: Store): AccountMethods {
  const { dialect, run } = store;
  const statements = statementsOf(store.write);
  const keyOf = (provider: unknown, providerAccountId: unknown): Key => ({
    provider: lookup(dialect, provider),
    providerAccountId: lookup(dialect, providerAccountId),
  });
  const insertion = (row: AccountRow): Query[] => [
    statements.insert(row),
    statements.insertLink({ id: crypto.randomUUID(), account: row.id }),
  ];

  /**
   * An account whose user was deleted behind the adapter's back would shut its owner out for good. It is nobody's: when it
   * is what stands in the way, it goes.
   */
  async function insert(queries: readonly Query[], row: AccountRow, check?: Check): Promise<void> {
    try {
      await store.batch(queries, check);
    } catch (error) {
      if (!(error instanceof UniqueViolation)) throw error;
      const [orphan] = await run(statements.deleteOrphan(keyOf(row.provider, row.providerAccountId)));
      if (!orphan) throw error;
      await store.batch(queries, check);
    }
  }

  return {
    linkAccount: async (account) => {
      const row = accountRow(dialect, account);
      await insert(insertion(row), row, ([inserted]) => {
        if (!inserted?.length) throw new RowNotFound('there is no user of this id to link the account to');
      });
      return readAccount(row);
    },
    unlinkAccount: async ({ provider, providerAccountId }) => {
      const key = keyOf(provider, providerAccountId);
      const results = await store.batch([statements.deleteLinks(key), statements.delete(key)]);
      const [row] = results.at(-1) ?? [];
      return row && readAccount(row);
    },
    getAccount: async (providerAccountId, provider) => {
      const [row] = await run(statements.byKey(keyOf(provider, providerAccountId)));
      return row && textOf(row, 'userId') !== null ? readAccount(row) : null;
    },
    updateAccount: async (account) => {
      const [row] = await run(statements.update(tokenChanges(dialect, account)));
      return row ? readAccount(row) : null;
    },
    createUserWithAccount: async (user, account) => {
      const created = userRow(dialect, user);
      const row = accountRow(dialect, { ...account, userId: created.id });
      await insert([statements.insertUser(created), ...insertion(row)], row);
      return readUser(dialect, created);
    },
  };
}

type Check = (results: readonly (readonly Row[])[]) => void;
type Key = { provider: string | null; providerAccountId: string | null };
type AccountColumns = Tables['auth_accounts'];
type TokenColumn = (typeof TOKENS)[number] | 'expires_at';
type Change = { [C in TokenColumn]: AccountColumns[C] } & { [C in TokenColumn as `has_${C}`]: number } & Key & {
    user: string | null;
  };

/** The row as inserted. `userId` is beside `user` because that is how rows are read. */
type AccountRow = AccountColumns & { userId: string };

function accountRow(dialect: Dialect, account: object & Partial<AdapterAccount>): AccountRow {
  const userId = required(dialect, 'account.userId', account.userId);
  return {
    ...(encodeRow(dialect, 'auth_accounts', account) as unknown as AccountRow),
    id: crypto.randomUUID(),
    user: userId,
    userId,
    provider: required(dialect, 'account.provider', account.provider),
    providerAccountId: required(dialect, 'account.providerAccountId', account.providerAccountId),
  };
}

/** An account without the members that it has no value for. */
function readAccount(row: Row): AdapterAccount {
  const account: Record<string, string | number> = {};
  for (const column of TOKENS) {
    const value = textOf(row, column);
    if (value !== null) account[column] = value;
  }
  const expiresAt = numberOf(row, 'expires_at');
  if (expiresAt !== null) account['expires_at'] = expiresAt;
  return {
    ...account,
    provider: textOf(row, 'provider') ?? '',
    providerAccountId: textOf(row, 'providerAccountId') ?? '',
    type: textOf(row, 'type') as AdapterAccount['type'],
    userId: textOf(row, 'userId') ?? '',
  };
}

/** The row is named by account and owner: tokens never get to an account that has changed hands meanwhile. */
function tokenChanges(dialect: Dialect, account: AdapterAccount): Change {
  const changes: Encoded = {
    ...encodeRow(dialect, 'auth_accounts', account),
    provider: lookup(dialect, account.provider),
    providerAccountId: lookup(dialect, account.providerAccountId),
    user: lookup(dialect, account.userId),
  };
  for (const column of [...TOKENS, 'expires_at']) changes[`has_${column}`] = account[column] === undefined ? 0 : 1;
  return changes as unknown as Change;
}

function statementsOf(write: Kysely<Tables>) {
  const columns = ['provider', 'providerAccountId', 'type', 'user as userId', 'expires_at', ...TOKENS] as const;
  const idOf = (key: (name: keyof Key) => string | null) =>
    write
      .selectFrom('auth_accounts')
      .select('id')
      .where('provider', '=', key('provider'))
      .where('providerAccountId', '=', key('providerAccountId'));

  return {
    insertUser: insertUser(write),
    // Inserts nothing when there is no such user.
    insert: statement<AccountColumns>((slot) => {
      const names = ['id', 'provider', 'providerAccountId', 'type', 'expires_at', ...TOKENS] as const;
      return write
        .insertInto('auth_accounts')
        .columns([...names, 'user'])
        .expression(
          write
            .selectFrom('auth_users')
            .select((value) => [...names.map((name) => value.val(slot(name)).as(name)), 'auth_users.id as user'])
            .where('auth_users.id', '=', slot('user')),
        )
        .returning('id');
    }),
    insertLink: statement<{ id: string; account: string }>((slot) =>
      write
        .insertInto('auth_users_accounts')
        .columns(['id', 'account', 'user'])
        .expression(
          write
            .selectFrom('auth_accounts')
            .select((value) => [value.val(slot('id')).as('link'), 'auth_accounts.id', 'auth_accounts.user'])
            .where('auth_accounts.id', '=', slot('account')),
        ),
    ),
    byKey: statement<Key>((slot) =>
      write
        .selectFrom('auth_accounts')
        .select(columns)
        .where('provider', '=', slot('provider'))
        .where('providerAccountId', '=', slot('providerAccountId')),
    ),
    update: statement<Change>((slot) =>
      write
        .updateTable('auth_accounts')
        .set({
          access_token: changed('access_token', slot('has_access_token'), slot('access_token')),
          expires_at: changed('expires_at', slot('has_expires_at'), slot('expires_at')),
          id_token: changed('id_token', slot('has_id_token'), slot('id_token')),
          refresh_token: changed('refresh_token', slot('has_refresh_token'), slot('refresh_token')),
          scope: changed('scope', slot('has_scope'), slot('scope')),
          session_state: changed('session_state', slot('has_session_state'), slot('session_state')),
          token_type: changed('token_type', slot('has_token_type'), slot('token_type')),
        })
        .where('provider', '=', slot('provider'))
        .where('providerAccountId', '=', slot('providerAccountId'))
        .where('user', '=', slot('user'))
        .returning(columns),
    ),
    deleteLinks: statement<Key>((slot) => write.deleteFrom('auth_users_accounts').where('account', 'in', idOf(slot))),
    delete: statement<Key>((slot) =>
      write
        .deleteFrom('auth_accounts')
        .where('provider', '=', slot('provider'))
        .where('providerAccountId', '=', slot('providerAccountId'))
        .returning(columns),
    ),
    deleteOrphan: statement<Key>((slot) =>
      write
        .deleteFrom('auth_accounts')
        .where('provider', '=', slot('provider'))
        .where('providerAccountId', '=', slot('providerAccountId'))
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('auth_users').select('auth_users.id').whereRef('auth_users.id', '=', 'auth_accounts.user'),
            ),
          ),
        )
        .returning('id'),
    ),
  };
}
