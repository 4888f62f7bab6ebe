import type { Adapter, AdapterUser } from '@latchkey/core/adapters';
import { type Claim, claimMark, commitClaims, createStep } from '../claims.ts';
import { RowNotFound, UniqueViolation } from '../errors.ts';
import { partOf } from '../keys.ts';
import type { Plan, Step } from '../plan.ts';
import { again } from '../retry.ts';
import { ownerOf, rowText } from '../row.ts';
import type { Store } from '../store.ts';
import { lookupPair, lookupPart } from '../values.ts';
import { bumped, emailOf, readUser, userChanges, userMembers, userText } from './user-row.ts';

/** Methods about users. */
export type UserMethods = Required<
  Pick<Adapter, 'createUser' | 'getUser' | 'getUserByEmail' | 'getUserByAccount' | 'updateUser' | 'deleteUser'>
>;

/** The users of a store. */
export function usersOf(store: Store): UserMethods {
  const { keys } = store;

  return {
    createUser: async (user) => readUser(await createUser(store, user)),
    getUser: async (id) => {
      const part = lookupPart(id);
      const row = part && (await store.get(keys.of('user', part)));
      return row ? readUser(row) : null;
    },
    getUserByEmail: async (email) => {
      const part = lookupPart(email);
      const user = part && (await store.withOwner('email', part))?.user;
      // The index key may be left over from an address that the user had, or was about to have.
      return user && emailOf(user) === email ? readUser(user) : null;
    },
    getUserByAccount: async ({ provider, providerAccountId }) => {
      const part = lookupPair(provider, providerAccountId);
      const user = part && (await store.withOwner('account', part))?.user;
      return user ? readUser(user) : null;
    },
    updateUser: async (user) => readUser(await updateUser(store, user)),
    deleteUser: (id) => deleteUser(store, id),
  };
}

/**
 * Creates a user, together with what `also` claims for it.
 *
 * @returns The row.
 * @throws {UniqueViolation} when the id, the address or another claim is taken.
 */
export async function createUser(
  store: Store,
  user: AdapterUser,
  also: (id: string) => { claims: readonly Claim[]; write: Step['write'] } = () => ({ claims: [], write: [] }),
): Promise<string> {
  const members = userMembers(user);
  const { id } = members;
  const row = userText(members);
  const more = also(id);
  // The row comes last: until it is there, the claims are void.
  const unmet = await commitClaims(
    store,
    [...more.claims, ...emailClaim(store, id, emailOf(row), false)],
    (claims, before) => [...before, ...claims, createStep(store, id, row, more.write)],
  );
  if (unmet !== null) throw new UniqueViolation('user.id');
  return row;
}

function emailClaim(store: Store, id: string, email: string | null, ofExisting: boolean): Claim[] {
  if (email === null) return [];
  const text = rowText(partOf(id), claimMark(), { id });
  return [{ key: store.keys.of('email', partOf(email)), text, name: 'user.email', email, ofExisting }];
}

async function updateUser(store: Store, user: Partial<AdapterUser> & Pick<AdapterUser, 'id'>): Promise<string> {
  const changes = userChanges(user);
  const part = lookupPart(user.id);
  if (part === null) throw new RowNotFound('there is no user of this id');
  const key = store.keys.of('user', part);
  return again(async () => {
    const row = await store.get(key);
    if (row === null) throw new RowNotFound('there is no user of this id');
    const next = bumped(row, { ...readUser(row), ...changes });
    const [before, after] = [emailOf(row), emailOf(next)];
    const claims = before === after ? [] : emailClaim(store, user.id, after, true);
    const release = before === null || before === after ? [] : await releaseEmail(store, before, part);
    const unmet = await commitClaims(store, claims, (claiming, fences) => [
      ...fences,
      ...claiming,
      { need: [['is', key, row]], write: [['put', key, next, '']] },
      ...release,
    ]);
    return unmet === null ? { done: next } : undefined;
  });
}

/** Gives an address back as it is claimed now: if the user comes back to it meanwhile, that is another claim. */
async function releaseEmail(store: Store, email: string, owner: string): Promise<Step[]> {
  const key = store.keys.of('email', partOf(email));
  const text = await store.get(key);
  return text !== null && ownerOf(text) === owner ? [{ write: [['dropIs', key, text]] }] : [];
}

/**
 * The row goes first: what else belongs to the user counts no more from then on, even where the work is broken off. Then it can
 * be called again for the rest.
 */
async function deleteUser(store: Store, id: string): Promise<AdapterUser | null> {
  const part = lookupPart(id);
  if (part === null) return null;
  const key = store.keys.of('user', part);
  return again(async () => {
    const row = await store.get(key);
    const rest = await belongings(store, part);
    if (row === null && rest.rows.length === 0) return { done: null };
    const own: Step = {
      // No account can be linked, and no session be started, between looking and deleting.
      need: [row === null ? ['absent', key] : ['is', key, row], ...rest.sizes],
      write: row === null ? [] : [['drop', key]],
    };
    const email = row === null ? null : emailOf(row);
    const released: Step[] =
      email === null ? [] : [{ write: [['dropOf', store.keys.of('email', partOf(email)), part]] }];
    const plan: Plan = [own, [...rest.rows, ...released], { write: rest.lists.map((list) => ['drop', list]) }];
    const unmet = await store.commit(plan);
    return unmet === null ? { done: row === null ? null : readUser(row) } : undefined;
  });
}

interface Belongings {
  /** That nothing has been added meanwhile. */
  readonly sizes: NonNullable<Step['need']>;
  /** Steps that delete the rows. */
  readonly rows: readonly Step[];
  readonly lists: readonly string[];
}

async function belongings({ keys, members, scheduled }: Store, part: string): Promise<Belongings> {
  const lists = {
    accounts: keys.of('accounts', part),
    authenticators: keys.of('authenticators', part),
    sessions: keys.of('sessions', part),
  };
  const [accounts, authenticators, sessions] = await Promise.all([
    members(lists.accounts),
    members(lists.authenticators),
    scheduled(lists.sessions),
  ]);
  const drop = (row: string): Step => ({ write: [['dropOf', row, part]] });
  return {
    sizes: [
      ['size', lists.accounts, String(accounts.length)],
      ['size', lists.authenticators, String(authenticators.length)],
      ['scheduled', lists.sessions, String(sessions.length)],
      // As many may be others: what was replaced meanwhile.
      ...accounts.map((one) => ['has', lists.accounts, one] as const),
      ...authenticators.map((one) => ['has', lists.authenticators, one] as const),
      ...sessions.map((one) => ['has', lists.sessions, one] as const),
    ],
    rows: [
      ...accounts.map((one) => drop(keys.of('account', one))),
      ...authenticators.map((one) => drop(keys.of('authenticator', one))),
      ...sessions.map((one) => drop(keys.of('session', one))),
    ],
    lists: Object.values(lists),
  };
}
