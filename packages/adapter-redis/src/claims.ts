import { UniqueViolation } from './errors.ts';
import { partOf } from './keys.ts';
import type { Plan, Step } from './plan.ts';
import { again } from './retry.ts';
import { ownerOf } from './row.ts';
import { bumped, emailOf } from './rows/user-row.ts';
import type { Store } from './store.ts';

/** A key that one user only may have: an index key, or a row whose key is unique. */
export interface Claim {
  readonly key: string;
  /** What the key is to hold: a row with a {@link claimMark}. */
  readonly text: string;
  /** How the error calls it, such as `user.email`. */
  readonly name: string;
  /** For index keys of addresses: the address that its user must have, or else the claim is void. */
  readonly email?: string;
  /** The user is there already. If the claim is theirs by now, what was read of them is outdated, and the plan with it. */
  readonly ofExisting?: boolean;
}

/** A plan, made of the steps that claim keys. `before` has to come first. */
export type MakePlan = (claims: readonly Step[], before: readonly Step[]) => Plan;

/**
 * Carries out a plan that claims keys. A key that is taken is looked at: it may be left over from work that was broken off, or
 * from a user who was deleted behind our back. Then it stands in nobody's way.
 *
 * @returns `null` when the plan is done, else the key of a need that was not met and can only be met by another plan.
 * @throws {UniqueViolation} when a key belongs to somebody.
 */
export async function commitClaims(store: Store, claims: readonly Claim[], plan: MakePlan): Promise<string | null> {
  const voids = new Map<string, Void>();
  const waitedFor = new Set<string>();
  return again(async () => {
    const held = claims.map((claim) => voids.get(claim.key));
    const steps = claims.map((claim, index) => claimStep(claim, held[index]?.text));
    const fences = held.flatMap((one) => one?.fence ?? []);
    const unmet = await store.commit(plan(steps, fences));
    if (unmet === null) return { done: null };
    const claim = claims.find(({ key }) => key === unmet);
    if (claim) {
      const found = await lookAt(store, claim, waitedFor);
      if (found === 'theirs') return { done: unmet };
      voids.delete(claim.key);
      if (found) voids.set(claim.key, found);
      return undefined;
    }
    if (!fences.some(({ need }) => need?.some(([, key]) => key === unmet))) return { done: unmet };
    // The user whom we took for gone or elsewhere has come back meanwhile: look again.
    voids.clear();
    return undefined;
  });
}

/** The mark of a claim, by chance: no two attempts of one user have the same text, so none is taken for the other. */
export function claimMark(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
}

/** A claim without a user to go with it. */
interface Void {
  readonly text: string;
  /** Makes sure that the claim stays void: whoever made it, and was only slow, fails from now on. */
  readonly fence: readonly Step[];
}

function claimStep({ key, text }: Claim, replaced: string | undefined): Step {
  return {
    need: [replaced === undefined ? ['absent', key] : ['is', key, replaced]],
    write: [['put', key, text, '']],
    // Back to what was there: a claim of the same user, as it may be, whose other change has come through.
    undo: { need: [['is', key, text]], write: [replaced === undefined ? ['drop', key] : ['put', key, replaced, '']] },
  };
}

/**
 * Waits a little for whoever made the claim, where work is done in several steps; once for each.
 *
 * @returns `undefined` when the key is free now, `theirs` when the user of the claim has it already, see {@link Claim.ofExisting}.
 * @throws {UniqueViolation} when the claim holds.
 */
async function lookAt(store: Store, claim: Claim, waitedFor: Set<string>): Promise<Void | 'theirs' | undefined> {
  let [patience, seen] = [0, ''];
  for (;;) {
    const text = await store.get(claim.key);
    if (text === null) return undefined;
    const owner = ownerOf(text);
    const user = await store.get(store.keys.of('user', owner));
    if (user !== null && (claim.email === undefined || emailOf(user) === claim.email)) {
      if (claim.ofExisting && owner === ownerOf(claim.text)) return 'theirs';
      throw new UniqueViolation(claim.name);
    }
    // Another claim than before gets its own time.
    if (text !== seen) [patience, seen] = [store.keys.tag === 'all' || waitedFor.has(owner) ? 0 : PATIENCE, text];
    if (patience <= 0) {
      waitedFor.add(owner);
      return { text, fence: fenceOf(store, owner, user, claim) };
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
    patience -= PAUSE;
  }
}

/** Milliseconds that work in several steps may take before others count it as broken off. */
const PATIENCE = 1000;
const PAUSE = 20;

function fenceOf(store: Store, owner: string, user: string | null, claim: Claim): Step[] {
  // Our own claim, from an attempt before this one.
  if (owner === ownerOf(claim.text)) return [];
  const key = store.keys.of('user', owner);
  if (user !== null) return [{ need: [['is', key, user]], write: [['put', key, bumped(user), '']] }];
  const write: Step['write'] =
    store.keys.tag === 'all' ? [] : [['put', store.keys.of('fence', owner), '-', FENCED_FOR]];
  return [{ need: [['absent', key]], write }];
}

/** Ten minutes: nobody pauses so long between two steps. */
const FENCED_FOR = '600000';

/** The step that makes a user's row, unless somebody has given up on its maker. */
export function createStep(store: Store, id: string, row: string, more: Step['write'] = []): Step {
  const part = partOf(id);
  const key = store.keys.of('user', part);
  return {
    need: [['absent', key], ...(store.keys.tag === 'all' ? [] : ([['absent', store.keys.of('fence', part)]] as const))],
    write: [['put', key, row, ''], ...more],
  };
}
