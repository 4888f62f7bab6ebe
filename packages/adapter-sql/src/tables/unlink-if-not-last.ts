import type { Adapter, UnlinkAccountParams, UnlinkAccountResult } from '@latchkey/core/adapters';
import { sql } from 'kysely';
import type { Encoded } from '../codec.ts';
import type { Query, Result, Row, Step } from '../dialect.ts';
import { linksOf } from '../links.ts';
import { type SlotOf, type Statement, statement } from '../statement.ts';
import type { Store } from '../store.ts';
import { lockOfUser } from './users.ts';

/**
 * Returns `unlinkAccountIfNotLast`: one transaction, which locks the row of the user. So the accounts that it counts
 * cannot change before it deletes.
 */
export function unlinkIfNotLast(store: Store): NonNullable<Adapter['unlinkAccountIfNotLast']> {
  const accounts = store.table('accounts');
  const { lock, ofUser, deletions } = statementsOf(store);

  return async (params) => {
    const { provider, providerAccountId } = params.account;
    const key: Encoded = {
      id: accounts.lookup('userId', params.userId),
      userId: accounts.lookup('userId', params.userId),
      provider: accounts.lookup('provider', provider),
      providerAccountId: accounts.lookup('providerAccountId', providerAccountId),
    };
    const decide = (results: readonly Result[]) => decision(params, results[lock.length]?.rows ?? []);
    const steps: Step[] = [
      ...lock.map((query) => query({ id: key['id'] ?? null })),
      ofUser(key),
      ...deletions.map(
        ({ query, onlyPasskeys }): Step =>
          (results) => {
            const { result, isPasskey } = decide(results);
            return result === 'unlinked' && (isPasskey || !onlyPasskeys) ? query(key) : null;
          },
      ),
    ];
    const results = await store.batch(steps);
    const { result } = decide(results);
    // A caller of `unlinkAccount`, which takes no lock, may have been faster.
    return result === 'unlinked' && !results.at(-1)?.affected ? 'missing' : result;
  };
}

interface Decision {
  readonly result: UnlinkAccountResult;
  readonly isPasskey: boolean;
}

/** @param rows The accounts of the user. */
function decision({ account, providers, otherWays }: UnlinkAccountParams, rows: readonly Row[]): Decision {
  const isAccount = ({ provider, providerAccountId }: Row): boolean =>
    provider === account.provider && providerAccountId === account.providerAccountId;
  const found = rows.find(isAccount);
  if (!found) return { result: 'missing', isPasskey: false };
  const others = rows.filter((row) => !isAccount(row) && providers.includes(String(row['provider'])));
  return { result: others.length + otherWays > 0 ? 'unlinked' : 'last', isPasskey: found['type'] === 'webauthn' };
}

interface Statements {
  readonly lock: readonly Statement<{ id: Encoded[string] }>[];
  /** Selects the keys and types of the user's accounts. */
  readonly ofUser: Statement<Encoded>;
  /** The last one deletes the account. */
  readonly deletions: readonly { readonly query: (key: Encoded) => Query; readonly onlyPasskeys: boolean }[];
}

function statementsOf(store: Store): Statements {
  const { write } = store;
  const [accounts, authenticators] = [store.table('accounts'), store.optionalTable('authenticators')];
  const isRow = (slot: SlotOf<Encoded>) =>
    sql<boolean>`${accounts.is('provider', slot('provider'))} and ${accounts.is('providerAccountId', slot('providerAccountId'))} and ${accounts.is('userId', slot('userId'))}`;
  const remove = statement<Encoded>((slot) => write.deleteFrom(accounts.name).where(isRow(slot)));
  const links = linksOf(store, { table: 'userAccounts', field: 'accountId', of: 'accounts' }, isRow);
  const unlink = store.optionalTable('userAccounts') ? [(key: Encoded) => links.unlink(key)[0] as Query] : [];
  return {
    lock: lockOfUser(store),
    ofUser: statement((slot) =>
      write
        .selectFrom(accounts.name)
        .select(accounts.select('provider', 'providerAccountId', 'type'))
        .where(accounts.is('userId', slot('userId'))),
    ),
    deletions: [
      ...(authenticators
        ? [
            {
              query: statement<Encoded>((slot) =>
                write
                  .deleteFrom(authenticators.name)
                  .where(authenticators.is('providerAccountId', slot('providerAccountId')))
                  .where(authenticators.is('userId', slot('userId'))),
              ),
              onlyPasskeys: true,
            },
          ]
        : []),
      ...unlink.map((query) => ({ query, onlyPasskeys: false })),
      { query: remove, onlyPasskeys: false },
    ],
  };
}
