import type { Adapter, AdapterAuthenticator, AuthenticatorChanges } from '@latchkey/core/adapters';
import type { Encoded } from '../codec.ts';
import type { Row } from '../dialect.ts';
import { RowNotFound } from '../errors.ts';
import { type SlotOf, statement } from '../statement.ts';
import { newId, runAll, type Store, withStamps } from '../store.ts';
import type { Table } from '../table.ts';
import { changeOf, insertedDates, insertForUser, updateOf } from '../writes.ts';

/** The adapter's methods about passkeys. */
export type AuthenticatorMethods = Required<
  Pick<
    Adapter,
    | 'getAuthenticator'
    | 'createAuthenticator'
    | 'listAuthenticatorsByUserId'
    | 'updateAuthenticatorCounter'
    | 'updateAuthenticator'
    | 'deleteAuthenticator'
  >
>;

/** Returns the methods about passkeys. A row without a user is not a passkey. */
export function authenticatorsOf(store: Store): AuthenticatorMethods {
  const authenticators = store.optionalTable('authenticators');
  if (!authenticators) return absent;
  const statements = statementsOf(store, authenticators);
  const keyOf = (credentialID: unknown): Encoded => ({
    credentialID: authenticators.lookup('credentialID', credentialID),
  });
  const read = (row: Row) => readAuthenticator(authenticators, row);

  const update = async (credentialID: unknown, changes: AuthenticatorChanges): Promise<AdapterAuthenticator | null> => {
    const change = changeOf(store, authenticators, changes, keyOf(credentialID));
    const [row] = (await runAll(store, statements.update(change))).at(-1)?.rows ?? [];
    return row ? read(row) : null;
  };

  return {
    createAuthenticator: async (authenticator) => {
      const row = withStamps(store, authenticators, {
        ...authenticators.encode(authenticator, ['credentialID', 'userId']),
        id: newId(store),
      });
      const { affected } = await store.run(statements.insert(row));
      if (!affected) throw new RowNotFound('the passkey cannot be created: no user has this id');
      const dates = insertedDates(authenticators, authenticator);
      return { ...read({ ...authenticator, createdAt: null, usedAt: null }), ...dates };
    },
    getAuthenticator: async (credentialID) => {
      const [row] = (await store.run(statements.byCredential(keyOf(credentialID)))).rows;
      const authenticator = row && read(row);
      return authenticator?.userId ? authenticator : null;
    },
    listAuthenticatorsByUserId: async (userId) => {
      const { rows } = await store.run(statements.byUser({ userId: authenticators.lookup('userId', userId) }));
      return rows.map(read);
    },
    updateAuthenticatorCounter: async (credentialID, counter) => {
      const updated = await update(credentialID, { counter });
      if (!updated) throw new RowNotFound('no passkey has this credential id');
      return updated;
    },
    updateAuthenticator: update,
    deleteAuthenticator: async (credentialID) => {
      await store.run(statements.delete(keyOf(credentialID)));
    },
  };
}

/** For schemas without the table. */
const absent: AuthenticatorMethods = {
  createAuthenticator: noTable,
  getAuthenticator: noTable,
  listAuthenticatorsByUserId: noTable,
  updateAuthenticatorCounter: noTable,
  updateAuthenticator: noTable,
  deleteAuthenticator: noTable,
};

async function noTable(): Promise<never> {
  throw new RowNotFound('the database has no table for passkeys. Create it with `migrate(db, { schema })`');
}

function readAuthenticator(authenticators: Table<'authenticators'>, row: Row): AdapterAuthenticator {
  const passkey = authenticators.read(row);
  const { name, createdAt, usedAt } = passkey;
  const present = Object.entries({ name, createdAt, usedAt }).filter(([, value]) => value !== null);
  return {
    credentialID: passkey.credentialID ?? '',
    userId: passkey.userId ?? '',
    providerAccountId: passkey.providerAccountId ?? '',
    credentialPublicKey: passkey.credentialPublicKey ?? '',
    counter: passkey.counter ?? 0,
    credentialDeviceType: passkey.credentialDeviceType ?? '',
    credentialBackedUp: passkey.credentialBackedUp ?? false,
    transports: passkey.transports,
    ...Object.fromEntries(present),
  };
}

function statementsOf(store: Store, authenticators: Table<'authenticators'>) {
  const all = store.write.selectFrom(authenticators.name).select(authenticators.selectAll());
  const isCredential = (slot: SlotOf<Encoded>) => authenticators.is('credentialID', slot('credentialID'));
  return {
    insert: insertForUser(store, authenticators),
    byCredential: statement<Encoded>((slot) => all.where(isCredential(slot))),
    byUser: statement<Encoded>((slot) => all.where(authenticators.is('userId', slot('userId')))),
    delete: statement<Encoded>((slot) => store.write.deleteFrom(authenticators.name).where(isCredential(slot))),
    update: updateOf(store, authenticators, {
      fields: ['counter', 'name', 'usedAt'],
      key: ['credentialID'],
      returnsRow: true,
    }),
  };
}
