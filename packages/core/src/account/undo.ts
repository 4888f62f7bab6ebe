import type { Context } from '../context.ts';
import { LastWayIn, Verification } from '../errors.ts';
import { endUserSessions } from '../session/end-user.ts';
import { requireMethod } from '../store/methods.ts';
import type { AdapterUser } from '../types/adapter.ts';
import type { AccountOwner } from './actor.ts';
import { changeAddress, isTaken } from './address.ts';
import { rememberRestoredAddress } from './restored.ts';
import { readStatement, type Statement, useStatement } from './statement.ts';
import { unlinkWay } from './unlink.ts';
import { storedWays } from './ways.ts';

/**
 * The result of an undo. With `gone` and `stale`, nothing has changed. With all others, all sessions of the user have
 * ended.
 *
 * - `restored`: the user has the previous address again. Ways to sign in that were added since are removed.
 * - `taken`: another user has the previous address now. Ways to sign in that were added since are removed. The link
 *   stays usable.
 * - `removed`: the way to sign in is removed, or was removed before.
 * - `last`: it is the only way to sign in, so it stays.
 * - `gone`: the user does not exist any more.
 * - `stale`: the address has been restored by the link of an earlier change.
 */
export type UndoOutcome = 'restored' | 'taken' | 'removed' | 'last' | 'gone' | 'stale';

/** The owner of a change that is undone. */
interface UndoneOwner extends AccountOwner {
  /** Returns the present time, which is later than the time of the request. */
  readonly clock: () => Date;
}

/**
 * Undoes the change that the link of a notice names. Its reader need not be signed in.
 *
 * @param text The parameter `statement` of the link.
 * @throws {Verification} if the link is broken or too old, or was used before.
 */
export async function undoChange(context: Context, text: unknown): Promise<UndoOutcome> {
  const statement = await readStatement(context, text);
  const { settings, now, call } = context;
  const [account, store] = [settings.account, await settings.store()];
  if (!statement || !account || !store) throw new Verification('the link is broken, or has expired');
  const findUser = () => requireMethod(store, 'getUser')(statement.userId);
  // The links of a deleted user are void.
  if (!(await findUser())) return 'gone';
  const { outcome } = await useStatement(store, statement, async () => {
    const user = await findUser();
    if (!user) return { outcome: 'gone' as const };
    const owner: UndoneOwner = { settings, account, store, user, now, clock: () => call.now?.() ?? new Date() };
    const outcome = await (statement.what === 'email' ? undoAddress : undoWay)(owner, statement);
    return { outcome, isOpen: outcome === 'taken' };
  });
  return outcome;
}

async function undoWay(owner: UndoneOwner, { from }: Statement): Promise<UndoOutcome> {
  const outcome = await removeWay(owner, from);
  await endSessions(owner);
  return outcome;
}

async function removeWay(owner: AccountOwner, id: string): Promise<'removed' | 'last'> {
  try {
    await unlinkWay(owner, id);
    return 'removed';
  } catch (error) {
    if (error instanceof LastWayIn) return 'last';
    throw error;
  }
}

/** Each step can be repeated: after a failure the link is usable again. */
async function undoAddress(owner: UndoneOwner, statement: Statement): Promise<UndoOutcome> {
  const outcome = await restoreAddress(owner, statement);
  if (outcome === 'stale') return outcome;
  const restored = outcome === 'restored' ? { ...owner, user: { ...owner.user, email: statement.from } } : owner;
  await removeWaysSince(restored, statement.at);
  return outcome;
}

/** Rounds in which ways are looked for. */
const ROUNDS = 3;

/**
 * Ends the sessions, and removes the ways to sign in that were added since. An attacker may add ways during the undo.
 * So the sessions end first, and the ways are looked for again.
 */
async function removeWaysSince(owner: UndoneOwner, at: Date): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    await endSessions(owner);
    const ids = await waysSince(owner, at);
    if (ids.length === 0) return;
    for (const id of ids) await removeWay(owner, id);
  }
  await endSessions(owner);
}

/** Another change may come between the look-up and the write. Then the address is looked up again. */
const ATTEMPTS = 5;

/**
 * Gives the user the previous address again, also if the present one comes from a further change by the same attacker.
 * `emailVerified` becomes an instant before the change, or `null` if it was `null` then. So the links of later changes
 * are void. The hold of 72 hours is stored first, because a simultaneous change looks for it after its own write.
 */
async function restoreAddress(
  { store, settings, user: found, now }: AccountOwner,
  statement: Statement,
): Promise<'restored' | 'taken' | 'stale'> {
  const { from: to, verified } = statement;
  const changed = provenAt(statement);
  // The user may be of an attacker who has typed the address of another person. Only a sign-in is a first proof: it
  // removes the passkeys of the attacker.
  const emailVerified = verified && new Date(Math.min(verified.getTime(), changed - 1000));
  let user: AdapterUser | null = found;
  for (let attempt = 0; user && attempt < ATTEMPTS; attempt++) {
    // An earlier try has restored the address, and has failed afterwards.
    if (user.email === to && isInstant(user.emailVerified, emailVerified)) return 'restored';
    if (!isOfChange(user, statement)) return 'stale';
    if (await isTaken(store, user.id, to)) return 'taken';
    await rememberRestoredAddress(store, statement.userId, now);
    const from = user.email ?? null;
    const result = await changeAddress(store, { userId: user.id, from, to, emailVerified });
    if (result === 'taken') return 'taken';
    if (result === 'changed') {
      await settings.emit('changeEmail', { user: { ...user, email: to, emailVerified }, from, to });
      return 'restored';
    }
    user = await requireMethod(store, 'getUser')(statement.userId);
  }
  return 'stale';
}

function provenAt({ proven, at }: Statement): number {
  return (proven ?? at).getTime();
}

/** Some stores have no `emailVerified`, and some keep whole seconds. */
function isInstant(stored: Date | null | undefined, instant: Date | null): boolean {
  return !stored || (instant !== null && Math.abs(stored.getTime() - instant.getTime()) < 1000);
}

/**
 * Does the present address of the user come from this change, or from a later one? It was proven at the time of the
 * change or later. In a store without that time, it is the new address itself.
 */
function isOfChange({ email, emailVerified }: AdapterUser, statement: Statement): boolean {
  return emailVerified ? emailVerified.getTime() >= provenAt(statement) : email === statement.to;
}

/** Milliseconds by which the clocks of servers may differ. */
const CLOCKS = 10_000;

/** The ways to sign in that were added after a change. A way whose time is not known stays. */
async function waysSince(owner: AccountOwner, at: Date): Promise<string[]> {
  if (!owner.store.listAccountsByUserId || !owner.store.unlinkAccountIfNotLast) return [];
  const ways = await storedWays(owner);
  return ways
    .filter(({ account, authenticator }) => {
      const createdAt = authenticator?.createdAt ?? account.createdAt;
      return createdAt instanceof Date && createdAt.getTime() >= at.getTime() - CLOCKS;
    })
    .map(({ id }) => id);
}

/** By the present time: with records, a sign-in that has begun during the undo then starts no session. */
function endSessions({ settings, clock, user }: UndoneOwner): Promise<void> {
  return endUserSessions(settings, clock(), { userId: String(user.id), reason: 'undo' });
}
