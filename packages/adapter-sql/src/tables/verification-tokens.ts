import type { Adapter, VerificationToken } from '@latchkey/core/adapters';
import { sql } from 'kysely';
import type { Encoded } from '../codec.ts';
import type { Row } from '../dialect.ts';
import { UniqueViolation } from '../errors.ts';
import { type SlotOf, statement } from '../statement.ts';
import { deleteReturning, newId, runAll, type Store, withStamps } from '../store.ts';
import { insertInto } from '../writes.ts';

/** The adapter's methods about verification tokens and spent keys. */
export type VerificationTokenMethods = Required<
  Pick<Adapter, 'createVerificationToken' | 'useVerificationToken' | 'deleteVerificationTokens' | 'spendOnce'>
>;

/**
 * Identifier of spent keys, which are rows of the same table. A mailed token cannot match one: this is not an address,
 * and core hashes the token of a link before it calls the adapter.
 */
const SPENT = 'latchkey:spent';

/** Returns the methods about verification tokens. Only one of several simultaneous callers gets a token. */
export function verificationTokensOf(store: Store): VerificationTokenMethods {
  const tokens = store.table('verificationTokens');
  const statements = statementsOf(store);

  /** Without the unique index, all simultaneous callers that spend a key are refused. */
  async function isOnlyRow({ identifier = null, token = null }: Encoded): Promise<boolean> {
    return (await store.run(statements.find({ identifier, token }))).rows.length === 1;
  }

  return {
    createVerificationToken: async (verificationToken) => {
      await store.run(statements.insert(tokenRow(store, verificationToken)));
      const { identifier, token, expires } = verificationToken;
      return { identifier, token, expires: new Date(expires) };
    },
    useVerificationToken: async ({ identifier, token }) => {
      const key = { identifier: tokens.lookup('identifier', identifier), token: tokens.lookup('token', token) };
      const deleted = deleteReturning(store.dialect, statements.deletion, key);
      const row = deleted.row(await runAll(store, deleted.steps));
      return row ? readToken(store, row) : null;
    },
    deleteVerificationTokens: async ({ identifier }) => {
      // Spent keys must stay: otherwise a copied value could be used again.
      if (identifier === SPENT) return;
      await store.run(statements.deleteAll({ identifier: tokens.lookup('identifier', identifier) }));
    },
    spendOnce: async (key, expires) => {
      const row = tokenRow(store, { identifier: SPENT, token: key, expires });
      try {
        await store.run(statements.insert(row));
        return !store.duplicated.has(tokens.name) || (await isOnlyRow(row));
      } catch (error) {
        if (!(error instanceof UniqueViolation)) throw error;
      }
      // An expired key counts as unspent, even if `cleanup` has not deleted it yet.
      const now = tokens.required('expires', 'now', store.now());
      return (await store.run(statements.renew({ ...row, now }))).affected > 0;
    },
  };
}

function tokenRow(store: Store, token: VerificationToken): Encoded {
  const tokens = store.table('verificationTokens');
  const row = tokens.encode(token, ['identifier', 'token', 'expires']);
  return withStamps(store, tokens, { ...row, id: newId(store) });
}

/** A row without an expiry is not a token. */
function readToken(store: Store, row: Row): VerificationToken | null {
  const { identifier, token, expires } = store.table('verificationTokens').read(row);
  return identifier !== null && token !== null && expires ? { identifier, token, expires } : null;
}

function statementsOf(store: Store) {
  const { write } = store;
  const tokens = store.table('verificationTokens');
  const isRow = (slot: SlotOf<Encoded>) =>
    sql<boolean>`${tokens.is('identifier', slot('identifier'))} and ${tokens.is('token', slot('token'))}`;
  const remove = (slot: SlotOf<Encoded>) => write.deleteFrom(tokens.name).where(isRow(slot));
  const select = (slot: SlotOf<Encoded>) => write.selectFrom(tokens.name).select(tokens.selectAll()).where(isRow(slot));

  return {
    insert: insertInto(store, tokens),
    find: statement<Encoded>((slot) => select(slot)),
    renew: statement<Encoded>((slot) =>
      write
        .updateTable(tokens.name)
        .set({ [tokens.column('expires')]: slot('expires') })
        .where(isRow(slot))
        .where(tokens.isBefore('expires', slot('now'))),
    ),
    deleteAll: statement<Encoded>((slot) =>
      write.deleteFrom(tokens.name).where(tokens.is('identifier', slot('identifier'))),
    ),
    deletion: {
      select: statement<Encoded>((slot) => select(slot).forUpdate()),
      delete: statement<Encoded>((slot) => remove(slot)),
      returning: statement<Encoded>((slot) => remove(slot).returning(tokens.selectAll())),
    },
  };
}
