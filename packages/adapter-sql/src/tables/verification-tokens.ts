import type { Adapter, VerificationToken } from '@latchkey/core/adapters';
import { sql } from 'kysely';
import { type Encoded, textOf } from '../codec.ts';
import type { Row } from '../dialect.ts';
import { UniqueViolation } from '../errors.ts';
import { insertInto, stamped } from '../insert.ts';
import { type SlotOf, statement } from '../statement.ts';
import { newId, runAll, type Store, taking } from '../store.ts';

/** Methods about one-time values. */
export type VerificationTokenMethods = Required<
  Pick<Adapter, 'createVerificationToken' | 'useVerificationToken' | 'spendOnce'>
>;

/**
 * Spent keys are rows of the same table, so that the schema stays as it is. No mailed token meets one: this is no address, and
 * the token that a visitor sends is hashed before it is looked up.
 */
const SPENT = 'latchkey:spent';

const FIELDS = ['identifier', 'token', 'expires'] as const;

/** The one-time values of a database. Each is taken by one statement: of two callers, one gets it. */
export function verificationTokensOf(store: Store): VerificationTokenMethods {
  const tokens = store.table('verificationTokens');
  const statements = statementsOf(store);

  /** Where no index tells, all who spend a key at the same time are refused. */
  async function isAlone({ identifier = null, token = null }: Encoded): Promise<boolean> {
    return (await store.run(statements.look({ identifier, token }))).rows.length === 1;
  }

  return {
    createVerificationToken: async (verificationToken) => {
      await store.run(statements.insert(tokenRow(store, verificationToken)));
      const { identifier, token, expires } = verificationToken;
      return { identifier, token, expires: new Date(expires) };
    },
    useVerificationToken: async ({ identifier, token }) => {
      const key = { identifier: tokens.lookup('identifier', identifier), token: tokens.lookup('token', token) };
      const taken = taking(store.dialect, statements.deletion, key);
      const row = taken.row(await runAll(store, taken.steps));
      return row ? readToken(store, row) : null;
    },
    spendOnce: async (key, expires) => {
      const row = tokenRow(store, { identifier: SPENT, token: key, expires });
      try {
        await store.run(statements.insert(row));
        return !store.duplicated.has(tokens.name) || (await isAlone(row));
      } catch (error) {
        if (!(error instanceof UniqueViolation)) throw error;
      }
      // A row that has expired was forgotten; only nobody has swept yet.
      const now = tokens.required('expires', 'now', store.now());
      return (await store.run(statements.renew({ ...row, now }))).affected > 0;
    },
  };
}

function tokenRow(store: Store, { identifier, token, expires }: VerificationToken): Encoded {
  const tokens = store.table('verificationTokens');
  return {
    ...stamped(store, tokens, {}),
    id: newId({ ids: store.shape.ids, codec: store.codec }),
    identifier: tokens.required('identifier', 'verificationToken.identifier', identifier),
    token: tokens.required('token', 'verificationToken.token', token),
    expires: tokens.required('expires', 'verificationToken.expires', expires),
  };
}

/** A token without expiry has none to be judged by: it does not count. */
function readToken(store: Store, row: Row): VerificationToken | null {
  const identifier = textOf(row, 'identifier');
  const token = textOf(row, 'token');
  const expires = store.codec.dateOf(row, 'expires');
  return identifier !== null && token !== null && expires ? { identifier, token, expires } : null;
}

function statementsOf(store: Store) {
  const { write } = store;
  const tokens = store.table('verificationTokens');
  const isKey = (slot: SlotOf<Encoded>) =>
    sql<boolean>`${tokens.is('identifier', slot('identifier'))} and ${tokens.is('token', slot('token'))}`;
  const deleted = (slot: SlotOf<Encoded>) => write.deleteFrom(tokens.name).where(isKey(slot));

  return {
    insert: insertInto(store, tokens, ['id', ...FIELDS]),
    look: statement<Encoded>((slot) => write.selectFrom(tokens.name).select(tokens.read('expires')).where(isKey(slot))),
    renew: statement<Encoded>((slot) =>
      write
        .updateTable(tokens.name)
        .set({ [tokens.column('expires')]: slot('expires') })
        .where(isKey(slot))
        .where(tokens.isBefore('expires', slot('now'))),
    ),
    deletion: {
      select: statement<Encoded>((slot) =>
        write
          .selectFrom(tokens.name)
          .select(tokens.read(...FIELDS))
          .where(isKey(slot))
          .forUpdate(),
      ),
      delete: statement<Encoded>((slot) => deleted(slot)),
      returning: statement<Encoded>((slot) => deleted(slot).returning(tokens.read(...FIELDS))),
    },
  };
}
