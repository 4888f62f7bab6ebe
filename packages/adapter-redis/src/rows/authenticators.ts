import { type Adapter, type AdapterAuthenticator, type AuthenticatorChanges, fields } from '@latchkey/core/adapters';
import { RowNotFound } from '../errors.ts';
import { partOf } from '../keys.ts';
import { retry } from '../plan.ts';
import { commitReservations, type Reservation, reservationMark } from '../reservations.ts';
import { membersOf, ownerOf, rowText } from '../row.ts';
import { rowsOfUser, type Store } from '../store.ts';
import { checked, lookupPart, required } from '../values.ts';

/** Methods about WebAuthn authenticators. */
export type AuthenticatorMethods = Required<
  Pick<
    Adapter,
    | 'createAuthenticator'
    | 'getAuthenticator'
    | 'listAuthenticatorsByUserId'
    | 'updateAuthenticatorCounter'
    | 'updateAuthenticator'
    | 'deleteAuthenticator'
  >
>;

/** Returns the methods about authenticators. An authenticator whose user does not exist is void. */
export function authenticatorsOf(store: Store): AuthenticatorMethods {
  const { keys } = store;

  return {
    createAuthenticator: async (authenticator) => {
      const part = partOf(required('authenticator.credentialID', authenticator.credentialID));
      const owner = partOf(required('authenticator.userId', authenticator.userId));
      const members = checked('authenticator', fields.authenticators, authenticator, 'leave out');
      const text = rowText(owner, reservationMark(), members);
      const reservation: Reservation = {
        key: keys.of('authenticator', part),
        text,
        name: 'authenticator.credentialID',
      };
      const unmet = await commitReservations(store, [reservation], (reservations, before) => [
        ...before,
        {
          need: [['exists', keys.of('user', owner)]],
          write: [['add', keys.of('authenticators', owner), part]],
        },
        ...reservations,
      ]);
      if (unmet !== null) throw new RowNotFound('the user of the authenticator does not exist');
      return membersOf<AdapterAuthenticator>(text);
    },
    getAuthenticator: async (credentialID) => {
      const part = lookupPart(credentialID);
      const found = part && (await store.withOwner('authenticator', part));
      return found && found.user !== null ? membersOf<AdapterAuthenticator>(found.row) : null;
    },
    listAuthenticatorsByUserId: async (userId) => {
      const owner = lookupPart(userId);
      const rows = owner === null ? [] : await rowsOfUser(store, 'authenticator', owner);
      return rows.map(({ row }) => membersOf<AdapterAuthenticator>(row));
    },
    updateAuthenticatorCounter: async (credentialID, counter) => {
      const updated = await updateAuthenticator(store, credentialID, { counter });
      if (!updated) throw new RowNotFound('the authenticator does not exist');
      return updated;
    },
    updateAuthenticator: (credentialID, changes) => updateAuthenticator(store, credentialID, changes),
    deleteAuthenticator: (credentialID) => deleteAuthenticator(store, credentialID),
  };
}

async function updateAuthenticator(
  store: Store,
  credentialID: string,
  { counter, name, usedAt }: AuthenticatorChanges,
): Promise<AdapterAuthenticator | null> {
  const part = lookupPart(credentialID);
  if (part === null) return null;
  const key = store.keys.of('authenticator', part);
  const changes = checked('authenticator', fields.authenticators, { counter, name, usedAt }, 'leave out');
  return retry(async () => {
    const row = await store.get(key);
    if (row === null) return { done: null };
    const next = rowText(ownerOf(row), null, { ...membersOf(row), ...changes });
    const unmet = await store.commit([{ need: [['is', key, row]], write: [['put', key, next, '']] }]);
    return unmet === null ? { done: membersOf<AdapterAuthenticator>(next) } : undefined;
  });
}

async function deleteAuthenticator({ keys, get, commit }: Store, credentialID: string): Promise<void> {
  const part = lookupPart(credentialID);
  if (part === null) return;
  const key = keys.of('authenticator', part);
  return retry(async () => {
    const row = await get(key);
    if (row === null) return { done: undefined };
    const unmet = await commit([
      { need: [['of', key, ownerOf(row)]], write: [['drop', key]] },
      // In several steps the list keeps the entry: meanwhile the same passkey may have been stored again.
      { write: keys.tag === 'all' ? [['remove', keys.of('authenticators', ownerOf(row)), part]] : [] },
    ]);
    return unmet === null ? { done: undefined } : undefined;
  });
}
