import type { Adapter, AdapterUser } from '@latchkey/core/adapters';
import { RowNotFound, UniqueViolation } from '../errors.ts';
import { partOf } from '../keys.ts';
import { type Plan, retry, type Step } from '../plan.ts';
import { commitReservations, createStep, type Reservation, reservationMark } from '../reservations.ts';
import { membersOf, ownerOf, rowText } from '../row.ts';
import type { Store } from '../store.ts';
import { lookupPair, lookupPart, required } from '../values.ts';
import { bumped, emailOf, readUser, userChanges, userMembers, userText } from './user-row.ts';

/** Methods about users. */
export type UserMethods = Required<
  Pick<
    Adapter,
    'createUser' | 'getUser' | 'getUserByEmail' | 'getUserByAccount' | 'updateUser' | 'updateUserEmail' | 'deleteUser'
  >
>;

/** Returns the methods about users. */
export function usersOf(store: Store): UserMethods {
  const { keys } = store;
  const read = (row: string): AdapterUser => readUser(store.users, row);

  return {
    createUser: async (user) => read(await createUser(store, user)),
    getUser: async (id) => {
      const part = lookupPart(id);
      const row = part && (await store.get(keys.of('user', part)));
      return row ? read(row) : null;
    },
    getUserByEmail: async (email) => {
      const part = lookupPart(email);
      const user = part && (await store.withOwner('email', part))?.user;
      // The index key may belong to an address that the user no longer has, or does not have yet.
      return user && emailOf(user) === email ? read(user) : null;
    },
    getUserByAccount: async ({ provider, providerAccountId }) => {
      const part = lookupPair(provider, providerAccountId);
      const user = part && (await store.withOwner('account', part))?.user;
      return user ? read(user) : null;
    },
    updateUser: async (user) => {
      const row = await updateUser(store, user);
      if (row === null) throw new RowNotFound('the user does not exist');
      return read(row);
    },
    updateUserEmail: async ({ userId, from, to, emailVerified }) => {
      const user = { id: userId, email: required('user.email', to), emailVerified };
      try {
        return (await updateUser(store, user, (row) => emailOf(row) === from)) === null ? 'stale' : 'changed';
      } catch (error) {
        if (error instanceof UniqueViolation) return 'taken';
        throw error;
      }
    },
    deleteUser: (id) => deleteUser(store, id),
  };
}

/**
 * Creates a user together with further reservations.
 *
 * @returns The row.
 * @throws {UniqueViolation} if the id, the address or another reserved key is taken.
 */
export async function createUser(
  store: Store,
  user: AdapterUser,
  also: (id: string) => { reservations: readonly Reservation[]; write: Step['write'] } = () => ({
    reservations: [],
    write: [],
  }),
): Promise<string> {
  const members = userMembers(store.users, user);
  const { id } = members;
  const row = userText(members);
  const more = also(id);
  // The row comes last: until it exists, the reservations are void.
  const unmet = await commitReservations(
    store,
    [...more.reservations, ...emailReservation(store, id, emailOf(row), false)],
    (reservations, before) => [...before, ...reservations, createStep(store, id, row, more.write)],
  );
  if (unmet !== null) throw new UniqueViolation('user.id');
  return row;
}

function emailReservation(store: Store, id: string, email: string | null, ofExisting: boolean): Reservation[] {
  if (email === null) return [];
  const text = rowText(partOf(id), reservationMark(), { id });
  return [{ key: store.keys.of('email', partOf(email)), text, name: 'user.email', email, ofExisting }];
}

/**
 * Changes a user.
 *
 * @param isCurrent Decides by the present row whether the user is changed. Default: always.
 * @returns The new row; `null` if the user does not exist, or if `isCurrent` returns `false`.
 * @throws {UniqueViolation} if the new address is taken.
 */
async function updateUser(
  store: Store,
  user: Partial<AdapterUser> & Pick<AdapterUser, 'id'>,
  isCurrent: (row: string) => boolean = () => true,
): Promise<string | null> {
  const changes = userChanges(store.users, user);
  const part = lookupPart(user.id);
  if (part === null) return null;
  const key = store.keys.of('user', part);
  return retry(async () => {
    const row = await store.get(key);
    if (row === null || !isCurrent(row)) return { done: null };
    const next = bumped(row, { ...membersOf(row), ...changes });
    const [before, after] = [emailOf(row), emailOf(next)];
    const reservations = before === after ? [] : emailReservation(store, user.id, after, true);
    const release = before === null || before === after ? [] : await releaseEmail(store, before, part);
    const unmet = await commitReservations(store, reservations, (reserving, fences) => [
      ...fences,
      ...reserving,
      { need: [['is', key, row]], write: [['put', key, next, '']] },
      ...release,
    ]);
    return unmet === null ? { done: next } : undefined;
  });
}

/**
 * Releases this reservation of an address only. If the user takes the address again meanwhile, that reservation stays.
 */
async function releaseEmail(store: Store, email: string, owner: string): Promise<Step[]> {
  const key = store.keys.of('email', partOf(email));
  const text = await store.get(key);
  return text !== null && ownerOf(text) === owner ? [{ write: [['dropIs', key, text]] }] : [];
}

/**
 * Deletes a user and everything that belongs to the user. The user's row is deleted first. The other rows are then
 * void, even if the plan stops there. A second call deletes the rest.
 */
async function deleteUser(store: Store, id: string): Promise<AdapterUser | null> {
  const part = lookupPart(id);
  if (part === null) return null;
  const key = store.keys.of('user', part);
  return retry(async () => {
    const row = await store.get(key);
    const rest = await belongings(store, part);
    if (row === null && rest.rows.length === 0) return { done: null };
    const own: Step = {
      // Refused if an account or a session was added since the lists were read.
      need: [row === null ? ['absent', key] : ['is', key, row], ...rest.unchanged],
      write: row === null ? [] : [['drop', key]],
    };
    const email = row === null ? null : emailOf(row);
    const released: Step[] =
      email === null ? [] : [{ write: [['dropOf', store.keys.of('email', partOf(email)), part]] }];
    const plan: Plan = [own, [...rest.rows, ...released], { write: rest.lists.map((list) => ['drop', list]) }];
    const unmet = await store.commit(plan);
    return unmet === null ? { done: row === null ? null : readUser(store.users, row) } : undefined;
  });
}

interface Belongings {
  /** The conditions that the lists are as they were read. */
  readonly unchanged: NonNullable<Step['need']>;
  /** Steps that delete the rows. */
  readonly rows: readonly Step[];
  readonly lists: readonly string[];
}

async function belongings({ keys, members, scheduled }: Store, part: string): Promise<Belongings> {
  const lists = {
    accounts: keys.of('accounts', part),
    unlinking: keys.of('unlinking', part),
    authenticators: keys.of('authenticators', part),
    sessions: keys.of('sessions', part),
  };
  const [accounts, unlinking, authenticators, sessions] = await Promise.all([
    members(lists.accounts),
    members(lists.unlinking),
    members(lists.authenticators),
    scheduled(lists.sessions),
  ]);
  const drop = (row: string): Step => ({ write: [['dropOf', row, part]] });
  return {
    unchanged: [
      ['size', lists.accounts, String(accounts.length)],
      ['size', lists.unlinking, String(unlinking.length)],
      ['size', lists.authenticators, String(authenticators.length)],
      ['scheduled', lists.sessions, String(sessions.length)],
      // The size alone is not enough: a member may have been replaced.
      ...accounts.map((one) => ['has', lists.accounts, one] as const),
      ...unlinking.map((one) => ['has', lists.unlinking, one] as const),
      ...authenticators.map((one) => ['has', lists.authenticators, one] as const),
      ...sessions.map((one) => ['has', lists.sessions, one] as const),
    ],
    rows: [
      ...[...accounts, ...unlinking].map((one) => drop(keys.of('account', one))),
      ...authenticators.map((one) => drop(keys.of('authenticator', one))),
      ...sessions.map((one) => drop(keys.of('session', one))),
    ],
    lists: Object.values(lists),
  };
}
