import { UniqueViolation } from './errors.ts';
import { partOf } from './keys.ts';
import { type Plan, retry, type Step } from './plan.ts';
import { ownerOf } from './row.ts';
import { bumped, emailOf } from './rows/user-row.ts';
import type { Store } from './store.ts';

/** A key that only one user may have: an index key, or a row whose key is unique. */
export interface Reservation {
  readonly key: string;
  /** The text that the key is to hold: a row with a {@link reservationMark}. */
  readonly text: string;
  /** The member's name in the error, such as `user.email`. */
  readonly name: string;
  /** For index keys of addresses: the reservation is void unless its user has this address. */
  readonly email?: string;
  /**
   * The user exists already. If the key belongs to that user by now, another client has changed the user, and the plan
   * is outdated.
   */
  readonly ofExisting?: boolean;
}

/** Makes a plan from the steps that reserve keys. The steps of `before` must come first. */
export type MakePlan = (reservations: readonly Step[], before: readonly Step[]) => Plan;

/**
 * Carries out a plan that reserves keys. If a key is taken, its reservation is checked and replaced if it is void. A
 * plan that stopped midway leaves void reservations, and so does a user who was deleted directly in Redis.
 *
 * @returns `null` if the plan is done; else the key of a condition that needs another plan.
 * @throws {UniqueViolation} if a key belongs to a user.
 */
export async function commitReservations(
  store: Store,
  reservations: readonly Reservation[],
  plan: MakePlan,
): Promise<string | null> {
  const voids = new Map<string, VoidReservation>();
  const waitedFor = new Set<string>();
  return retry(async () => {
    const replaced = reservations.map(({ key }) => voids.get(key));
    const steps = reservations.map((reservation, index) => reserveStep(reservation, replaced[index]?.text));
    const fences = replaced.flatMap((one) => one?.fence ?? []);
    const unmet = await store.commit(plan(steps, fences));
    if (unmet === null) return { done: null };
    const taken = reservations.find(({ key }) => key === unmet);
    if (taken) {
      const found = await inspect(store, taken, waitedFor);
      if (found === 'own') return { done: unmet };
      voids.delete(taken.key);
      if (found) voids.set(taken.key, found);
      return undefined;
    }
    if (!fences.some(({ need }) => need?.some(([, key]) => key === unmet))) return { done: unmet };
    // The owner of a void reservation has changed since it was checked: check again.
    voids.clear();
    return undefined;
  });
}

/** Returns a random mark, so that two reservations of one user never have the same text. */
export function reservationMark(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
}

/** A reservation without a user to whom it belongs. */
interface VoidReservation {
  readonly text: string;
  /** Keeps the reservation void: if its maker is only slow, the maker's plan fails. */
  readonly fence: readonly Step[];
}

function reserveStep({ key, text }: Reservation, replaced: string | undefined): Step {
  return {
    need: [replaced === undefined ? ['absent', key] : ['is', key, replaced]],
    write: [['put', key, text, '']],
    // Restores the replaced text: it may be a reservation of the same user, whose other change has succeeded meanwhile.
    undo: { need: [['is', key, text]], write: [replaced === undefined ? ['drop', key] : ['put', key, replaced, '']] },
  };
}

/**
 * Checks to whom a taken key belongs. With the tag `user` it first waits for the maker to finish, once per maker.
 *
 * @returns `undefined` if the key is free now; `own` if its user has the key already, see {@link
 *   Reservation.ofExisting}.
 * @throws {UniqueViolation} if the key belongs to a user.
 */
async function inspect(
  store: Store,
  reservation: Reservation,
  waitedFor: Set<string>,
): Promise<VoidReservation | 'own' | undefined> {
  let [patience, seen] = [0, ''];
  for (;;) {
    const text = await store.get(reservation.key);
    if (text === null) return undefined;
    const owner = ownerOf(text);
    const user = await store.get(store.keys.of('user', owner));
    if (user !== null && (reservation.email === undefined || emailOf(user) === reservation.email)) {
      if (reservation.ofExisting && owner === ownerOf(reservation.text)) return 'own';
      throw new UniqueViolation(reservation.name);
    }
    // If another reservation has taken the key since the last look, its maker gets the full time.
    if (text !== seen) [patience, seen] = [store.keys.tag === 'all' || waitedFor.has(owner) ? 0 : PATIENCE, text];
    if (patience <= 0) {
      waitedFor.add(owner);
      return { text, fence: fenceOf(store, owner, user, reservation) };
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
    patience -= PAUSE;
  }
}

/** Milliseconds for a plan of several steps. After this time other clients treat the plan as stopped. */
const PATIENCE = 1000;
const PAUSE = 20;

function fenceOf(store: Store, owner: string, user: string | null, reservation: Reservation): Step[] {
  // This plan's own reservation, from an earlier attempt.
  if (owner === ownerOf(reservation.text)) return [];
  const key = store.keys.of('user', owner);
  if (user !== null) return [{ need: [['is', key, user]], write: [['put', key, bumped(user), '']] }];
  const write: Step['write'] =
    store.keys.tag === 'all' ? [] : [['put', store.keys.of('fence', owner), '-', FENCE_LIFETIME]];
  return [{ need: [['absent', key]], write }];
}

/** Milliseconds: ten minutes, longer than a client can pause between two steps. */
const FENCE_LIFETIME = '600000';

/** Returns the step that creates a user's row, unless another client has fenced the user off. */
export function createStep(store: Store, id: string, row: string, more: Step['write'] = []): Step {
  const part = partOf(id);
  const key = store.keys.of('user', part);
  return {
    need: [['absent', key], ...(store.keys.tag === 'all' ? [] : ([['absent', store.keys.of('fence', part)]] as const))],
    write: [['put', key, row, ''], ...more],
  };
}
