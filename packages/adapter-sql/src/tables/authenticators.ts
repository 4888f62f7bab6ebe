import type { Adapter, AdapterAuthenticator } from '@latchkey/core/adapters';
import { booleanOf, type Encoded, idOf, numberOf, textOf } from '../codec.ts';
import type { Row } from '../dialect.ts';
import { RowNotFound } from '../errors.ts';
import { insertForUser, stamped } from '../insert.ts';
import { statement } from '../statement.ts';
import { newId, runAll, type Store } from '../store.ts';
import type { Table } from '../table.ts';
import { changeOf, changes } from '../update.ts';

/** Methods about passkeys. */
export type AuthenticatorMethods = Required<
  Pick<
    Adapter,
    'getAuthenticator' | 'createAuthenticator' | 'listAuthenticatorsByUserId' | 'updateAuthenticatorCounter'
  >
>;

const OWN = [
  'counter',
  'credentialBackedUp',
  'credentialDeviceType',
  'credentialID',
  'credentialPublicKey',
  'providerAccountId',
  'transports',
] as const;
const FIELDS = [...OWN, 'userId'] as const;

/** The passkeys of a database. Those without a user are nobody's and do not count. */
export function authenticatorsOf(store: Store): AuthenticatorMethods {
  const authenticators = store.maybe('authenticators');
  if (!authenticators) return absent;
  const statements = statementsOf(store, authenticators);

  return {
    createAuthenticator: async (authenticator) => {
      const row = authenticatorRow(store, authenticators, authenticator);
      const { affected } = await store.run(statements.insert(row));
      if (!affected) throw new RowNotFound('there is no user of this id to keep an authenticator for');
      return readAuthenticator({ ...authenticator });
    },
    getAuthenticator: async (credentialID) => {
      const key = { credentialID: authenticators.lookup('credentialID', credentialID) };
      const [row] = (await store.run(statements.byCredential(key))).rows;
      return row && idOf(row, 'userId') !== null ? readAuthenticator(row) : null;
    },
    listAuthenticatorsByUserId: async (userId) => {
      const { rows } = await store.run(statements.byUser({ userId: authenticators.lookup('userId', userId) }));
      return rows.map(readAuthenticator);
    },
    updateAuthenticatorCounter: async (credentialID, counter) => {
      const key = { credentialID: authenticators.lookup('credentialID', credentialID) };
      const results = await runAll(
        store,
        statements.count(changeOf(store, authenticators, { counter }, ['counter'], key)),
      );
      const [row] = results.at(-1)?.rows ?? [];
      if (!row) throw new RowNotFound('there is no authenticator of this credential');
      return readAuthenticator(row);
    },
  };
}

/** For schemas without such a table. */
const absent: AuthenticatorMethods = {
  createAuthenticator: noTable,
  getAuthenticator: noTable,
  listAuthenticatorsByUserId: noTable,
  updateAuthenticatorCounter: noTable,
};

async function noTable(): Promise<never> {
  throw new RowNotFound('the database has no table for authenticators: create it with `migrate(db, { schema })`');
}

function authenticatorRow(store: Store, table: Table, given: AdapterAuthenticator): Encoded {
  return stamped(store, table, {
    ...table.encode(given, OWN),
    id: newId({ ids: store.shape.ids, codec: store.codec }),
    credentialID: table.required('credentialID', 'authenticator.credentialID', given.credentialID),
    userId: table.required('userId', 'authenticator.userId', given.userId),
  });
}

function readAuthenticator(row: Row): AdapterAuthenticator {
  return {
    credentialID: textOf(row, 'credentialID') ?? '',
    userId: idOf(row, 'userId') ?? '',
    providerAccountId: textOf(row, 'providerAccountId') ?? '',
    credentialPublicKey: textOf(row, 'credentialPublicKey') ?? '',
    counter: numberOf(row, 'counter') ?? 0,
    credentialDeviceType: textOf(row, 'credentialDeviceType') ?? '',
    credentialBackedUp: booleanOf(row, 'credentialBackedUp'),
    transports: textOf(row, 'transports'),
  };
}

function statementsOf(store: Store, authenticators: Table) {
  const { write } = store;
  const all = write.selectFrom(authenticators.name).select(authenticators.read(...FIELDS));

  return {
    insert: insertForUser(store, authenticators, ['id', ...OWN]),
    byCredential: statement<Encoded>((slot) => all.where(authenticators.is('credentialID', slot('credentialID')))),
    byUser: statement<Encoded>((slot) => all.where(authenticators.is('userId', slot('userId')))),
    count: changes(store, authenticators, { fields: ['counter'], key: ['credentialID'], returned: FIELDS }),
  };
}
