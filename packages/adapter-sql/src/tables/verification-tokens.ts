import type { Adapter, VerificationToken } from '@latchkey/core/adapters';
import type { Kysely } from 'kysely';
import type { Dialect, Row } from '../dialect.ts';
import type { Tables } from '../schema.ts';
import { statement } from '../statement.ts';
import type { Store } from '../store.ts';
import { dateIn, lookup, required, textOf } from '../values.ts';

/** Methods about one-time values. */
export type VerificationTokenMethods = Required<
  Pick<Adapter, 'createVerificationToken' | 'useVerificationToken' | 'spendOnce'>
>;

/**
 * Spent keys are rows of the same table, so that the schema stays as it is. No mailed token meets one: this is no address, and
 * the token that a visitor sends is hashed before it is looked up.
 */
const SPENT = 'latchkey:spent';

/** The one-time values of a database. Each is taken by one statement: of two callers, one gets it. */
export function verificationTokensOf(store: Store): VerificationTokenMethods {
  const { dialect, run } = store;
  const statements = statementsOf(store.write);

  return {
    createVerificationToken: async (verificationToken) => {
      const row = tokenRow(dialect, verificationToken);
      await run(statements.insert(row));
      return readToken(dialect, row);
    },
    useVerificationToken: async ({ identifier, token }) => {
      const [row] = await run(
        statements.take({ identifier: lookup(dialect, identifier), token: lookup(dialect, token) }),
      );
      return row ? readToken(dialect, row) : null;
    },
    spendOnce: async (key, expires) => {
      const row = tokenRow(dialect, { identifier: SPENT, token: key, expires });
      return (await run(statements.spend({ ...row, now: dateIn(dialect, 'now', store.now()) }))).length > 0;
    },
  };
}

type TokenRow = { id: string; identifier: string; token: string; expires: string };

function tokenRow(dialect: Dialect, { identifier, token, expires }: VerificationToken): TokenRow {
  return {
    id: crypto.randomUUID(),
    identifier: required(dialect, 'verificationToken.identifier', identifier),
    token: required(dialect, 'verificationToken.token', token),
    expires: dateIn(dialect, 'expires', expires),
  };
}

/** A token without expiry has none to be judged by: it does not count. */
function readToken(dialect: Dialect, row: Row): VerificationToken | null {
  const identifier = textOf(row, 'identifier');
  const token = textOf(row, 'token');
  const expires = dialect.dateOut(row['expires']);
  return identifier !== null && token !== null && expires ? { identifier, token, expires } : null;
}

function statementsOf(write: Kysely<Tables>) {
  return {
    insert: statement<TokenRow>((slot) => write.insertInto('auth_verificationTokens').values(rowOf(slot))),
    take: statement<{ identifier: string | null; token: string | null }>((slot) =>
      write
        .deleteFrom('auth_verificationTokens')
        .where('identifier', '=', slot('identifier'))
        .where('token', '=', slot('token'))
        .returning(['identifier', 'token', 'expires']),
    ),
    // A row that has expired was forgotten; only nobody has swept yet.
    spend: statement<TokenRow & { now: string }>((slot) =>
      write
        .insertInto('auth_verificationTokens')
        .values(rowOf(slot))
        .onConflict((conflict) =>
          conflict
            .columns(['identifier', 'token'])
            .doUpdateSet({ expires: slot('expires') })
            .where('auth_verificationTokens.expires', '<', slot('now')),
        )
        .returning('id'),
    ),
  };
}

function rowOf(slot: (name: keyof TokenRow) => string): TokenRow {
  return { id: slot('id'), identifier: slot('identifier'), token: slot('token'), expires: slot('expires') };
}
