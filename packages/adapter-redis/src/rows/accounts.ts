import { type Adapter, type AdapterAccount, fields } from '@latchkey/core/adapters';
import { RowNotFound } from '../errors.ts';
import { accountLists, partOf } from '../keys.ts';
import { retry, type Step, type Write } from '../plan.ts';
import { commitReservations, type Reservation, reservationMark } from '../reservations.ts';
import { membersOf, ownerOf, rowText } from '../row.ts';
import { rowsOfUser, type Store } from '../store.ts';
import { checked, lookupPair, lookupPart, required } from '../values.ts';
import { unlinkIfNotLast } from './unlink-if-not-last.ts';
import { readUser } from './user-row.ts';
import { createUser } from './users.ts';

/** Methods about accounts. */
export type AccountMethods = Required<
  Pick<
    Adapter,
    | 'linkAccount'
    | 'unlinkAccount'
    | 'unlinkAccountIfNotLast'
    | 'getAccount'
    | 'listAccountsByUserId'
    | 'updateAccount'
    | 'createUserWithAccount'
  >
>;

/**
 * Returns the methods about accounts. An account whose user does not exist is void and can be replaced.
 */
export function accountsOf(store: Store): AccountMethods {
  const { keys } = store;

  return {
    linkAccount: async (account) => {
      const { reservation, list } = accountReservation(store, account, account.userId);
      const user = keys.of('user', ownerOf(reservation.text));
      const listing: Step = { need: [['exists', user]], write: [list] };
      // The list comes first: it may name rows that do not exist, but it never misses a row of the user. In several
      // steps it comes once more: meanwhile the same account may have been unlinked, which removes it from the list.
      const unmet = await commitReservations(store, [reservation], (reservations, before) => [
        ...before,
        listing,
        ...reservations,
        ...(keys.tag === 'all' ? [] : [listing]),
      ]);
      if (unmet !== null) throw new RowNotFound('the user of the account does not exist');
      return readAccount(reservation.text);
    },
    unlinkAccount: (account) => unlinkAccount(store, account),
    unlinkAccountIfNotLast: (params) => unlinkIfNotLast(store, params),
    getAccount: async (providerAccountId, provider) => {
      const part = lookupPair(provider, providerAccountId);
      const found = part && (await store.withOwner('account', part));
      return found && found.user !== null ? readAccount(found.row) : null;
    },
    listAccountsByUserId: async (userId) => {
      const owner = lookupPart(userId);
      const rows = owner === null ? [] : await rowsOfUser(store, 'account', owner, accountLists(keys.tag));
      return rows.map(({ row }) => readAccount(row));
    },
    updateAccount: (account) => updateAccount(store, account),
    createUserWithAccount: async (user, account) => {
      const row = await createUser(store, user, (id) => {
        const { reservation, list } = accountReservation(store, account, id);
        return { reservations: [reservation], write: [list] };
      });
      return readUser(store.users, row);
    },
  };
}

type AccountKey = Pick<AdapterAccount, 'provider' | 'providerAccountId'>;

function accountReservation(store: Store, account: object, userId: unknown): { reservation: Reservation; list: Write } {
  const owner = partOf(required('account.userId', userId));
  const given = checked('account', fields.accounts, { ...account, userId }, 'keep');
  const provider = required('account.provider', given['provider']);
  const providerAccountId = required('account.providerAccountId', given['providerAccountId']);
  const part = partOf([provider, providerAccountId]);
  return {
    reservation: {
      key: store.keys.of('account', part),
      text: rowText(owner, reservationMark(), given),
      name: 'account.providerAccountId',
    },
    list: ['add', store.keys.of('accounts', owner), part],
  };
}

async function unlinkAccount(store: Store, account: AccountKey): Promise<AdapterAccount | undefined> {
  const part = lookupPair(account.provider, account.providerAccountId);
  if (part === null) return undefined;
  const key = store.keys.of('account', part);
  return retry(async () => {
    const row = await store.get(key);
    if (row === null) return { done: undefined };
    const unmet = await store.commit([
      { need: [['is', key, row]], write: [['drop', key]] },
      // In several steps the list keeps the entry: meanwhile the same account may have been linked again.
      { write: store.keys.tag === 'all' ? [['remove', store.keys.of('accounts', ownerOf(row)), part]] : [] },
    ]);
    return unmet === null ? { done: readAccount(row) } : undefined;
  });
}

/**
 * Requires that the account still has this owner, so that tokens never reach an account that now belongs to another
 * user.
 */
async function updateAccount(store: Store, account: AdapterAccount): Promise<AdapterAccount | null> {
  const part = lookupPair(account.provider, account.providerAccountId);
  const changes = checked('account', fields.accounts, account, 'keep');
  if (part === null) return null;
  const key = store.keys.of('account', part);
  return retry(async () => {
    const row = await store.get(key);
    if (row === null || ownerOf(row) !== lookupPart(account.userId)) return { done: null };
    // The members that identify the account stay as they are.
    const { provider: _, providerAccountId: __, type: ___, ...tokens } = changes;
    const next = rowText(ownerOf(row), null, { ...membersOf(row), ...tokens });
    const unmet = await store.commit([{ need: [['is', key, row]], write: [['put', key, next, '']] }]);
    return unmet === null ? { done: readAccount(next) } : undefined;
  });
}

/** Reads an account, without the fields that are null. */
function readAccount(row: string): AdapterAccount {
  const members = membersOf(row);
  const isPresent = (name: string): boolean => members[name] !== null || !Object.hasOwn(fields.accounts, name);
  return membersOf<AdapterAccount>(row, isPresent);
}
