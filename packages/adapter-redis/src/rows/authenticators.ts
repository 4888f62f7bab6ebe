import { type Adapter, type AdapterAuthenticator, fields } from '@latchkey/core/adapters';
import { RowNotFound } from '../errors.ts';
import { partOf } from '../keys.ts';
import { retry } from '../plan.ts';
import { commitReservations, type Reservation, reservationMark } from '../reservations.ts';
import { membersOf, ownerOf, rowText } from '../row.ts';
import type { Store } from '../store.ts';
import { checked, lookupPart, required } from '../values.ts';

/** Methods about WebAuthn authenticators. */
export type AuthenticatorMethods = Required<
  Pick<
    Adapter,
    | 'createAuthenticator'
    | 'getAuthenticator'
    | 'listAuthenticatorsByUserId'
    | 'updateAuthenticatorCounter'
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
      if (owner === null) return [];
      const [user, parts] = await Promise.all([
        store.get(keys.of('user', owner)),
        store.members(keys.of('authenticators', owner)),
      ]);
      if (user === null) return [];
      const rows = await store.getAll(parts.map((part) => keys.of('authenticator', part)));
      const own = rows.filter((row) => row !== null).filter((row) => ownerOf(row) === owner);
      return own.map((row) => membersOf<AdapterAuthenticator>(row));
    },
    updateAuthenticatorCounter: async (credentialID, newCounter) => {
      const part = lookupPart(credentialID);
      if (part === null) throw new RowNotFound('the authenticator does not exist');
      const key = keys.of('authenticator', part);
      const counter = checked('authenticator', fields.authenticators, { counter: newCounter }, 'leave out');
      return retry(async () => {
        const row = await store.get(key);
        if (row === null) throw new RowNotFound('the authenticator does not exist');
        const next = rowText(ownerOf(row), null, { ...membersOf(row), ...counter });
        const unmet = await store.commit([{ need: [['is', key, row]], write: [['put', key, next, '']] }]);
        return unmet === null ? { done: membersOf<AdapterAuthenticator>(next) } : undefined;
      });
    },
    deleteAuthenticator: (credentialID) => deleteAuthenticator(store, credentialID),
  };
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
