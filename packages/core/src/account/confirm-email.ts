import { defaults } from '../config/defaults.ts';
import type { Context } from '../context.ts';
import { equal } from '../crypto/bytes.ts';
import { errorOf, RateLimited, Verification } from '../errors.ts';
import { attemptsAfter, readCode, takeAttemptOf } from '../identity/email/code.ts';
import { takeRow } from '../identity/email/store.ts';
import type { MailLink } from '../mail/security.ts';
import { noAddressCookie, pendingAddress } from '../pending/address.ts';
import type { PendingAddress } from '../pending/kinds.ts';
import { endUserSessions } from '../session/end-user.ts';
import * as session from '../session/session.ts';
import { requireMethod } from '../store/methods.ts';
import type { Cookie } from '../types/config.ts';
import { type AccountActor, readActor } from './actor.ts';
import { changeAddress } from './address.ts';
import { notify, undoLink } from './notices.ts';
import { requireNoRestoredAddress } from './restored.ts';
import { addressRow } from './token-row.ts';

/** The result of a confirmation. */
export interface Confirmation {
  /** The visitor may try again: a code was wrong. Default: the change is over. */
  readonly isOpen?: boolean;
  /** Why the address has not changed. Default: it has changed. */
  readonly error?: Verification | RateLimited;
  readonly cookies: readonly Cookie[];
}

/** A change that this browser has asked for, and the visitor who is signed in as the user who asked. */
export interface AskedChange {
  readonly actor: AccountActor;
  readonly pending: PendingAddress;
}

/**
 * Returns the change that waits in this browser for its confirmation.
 *
 * @returns `undefined` if none waits, or if the user who asked for it is not signed in here.
 */
export async function askedChange(context: Context): Promise<AskedChange | undefined> {
  const pending = await pendingAddress(context);
  const actor = pending && (await readActor(context));
  if (!actor || String(actor.user.id) !== pending.userId) return undefined;
  return (await session.mayAddTo(context, actor.user.id)) ? { actor, pending } : undefined;
}

/**
 * Changes the address if the visitor has opened the link of the mail, or typed its code, in the browser that asked.
 *
 * @throws {RateLimited} if there were too many attempts, or if the address was restored in the last 72 hours.
 */
export async function confirmAddress(context: Context): Promise<Confirmation> {
  const asked = await askedChange(context);
  if (!asked) return refused('no change of an address waits in this browser for this user');
  const { token, code } = context.body;
  const { pending } = asked;
  if (typeof token === 'string') {
    return equal(token, pending.token) ? complete(asked) : refused('the link belongs to another change', true);
  }
  const typed = readCode(code);
  return typed === undefined ? refused('the typed text is not a code', true) : checkCode(asked, typed);
}

function refused(reason: string, isOpen = false, cookies: readonly Cookie[] = []): Confirmation {
  return { error: new Verification(reason), isOpen, cookies };
}

/** The attempt is taken out of the store before the code is compared, as for the code of a sign-in mail. */
async function checkCode(asked: AskedChange, typed: string): Promise<Confirmation> {
  const { actor, pending } = asked;
  const { context, store } = actor;
  const { reserveCode } = await import('../rate-limit/reserve.ts');
  const reservation = await reserveCode(context, pending.token, defaults.account.newAddress);
  const { identifier, token } = await addressRow(context, pending);
  const attempt = await takeAttemptOf(store, identifier, token);
  if (!attempt) {
    // Another attempt has the row at this moment, or none is left. The code is not checked, so it does not count.
    await reservation.release();
    return noAttempt(context);
  }
  const left = await attemptsAfter(store, attempt, { typed, mailed: pending.code });
  if (left === undefined) return complete(asked);
  if (left > 0) return refused('a wrong code', true);
  await takeRow(store, identifier, token);
  return noAttempt(context);
}

function noAttempt(context: Context): Confirmation {
  return refused('no attempt is left for this code', false, [noAddressCookie(context)]);
}

/** The address may have been restored since the change was asked for. */
async function complete({ actor, pending }: AskedChange): Promise<Confirmation> {
  const { context, store, user } = actor;
  await requireNoRestoredAddress(actor);
  const { identifier, token } = await addressRow(context, pending);
  const row = await takeRow(store, identifier, token);
  const over = [noAddressCookie(context)];
  // Written as !(a >= b) so that an Invalid Date counts as expired.
  if (!row || !(row.expires.getTime() >= actor.now.getTime())) {
    return refused('the link or the code was used, or has expired', false, over);
  }
  const { from, to } = pending;
  const present = await requireMethod(store, 'getUser')(user.id);
  if (!present || (present.email ?? null) !== from) return refused('the address was not changed: stale', false, over);
  const owner: AccountActor = { ...actor, user: present };
  const emailVerified = nextProof(owner);
  // Before the change: the deletion of a user makes the links void that exist by then.
  const link = await undoLinkOf(owner, pending, emailVerified);
  const result = await changeAddress(store, { userId: user.id, from, to, emailVerified });
  if (result !== 'changed') return refused(`the address was not changed: ${result}`, false, over);
  if (from) await giveBackIfRestored(owner, from, to);
  return { cookies: [...over, ...(await afterChange(actor, pending, emailVerified, link))] };
}

/**
 * The address may also be restored between the check and the change. Then it is given back.
 *
 * @throws {RateLimited} if it was restored.
 */
async function giveBackIfRestored(owner: AccountActor, from: string, to: string): Promise<void> {
  const { settings, store, user } = owner;
  try {
    await requireNoRestoredAddress(owner);
  } catch (error) {
    // If the store fails, the owner still has to get the notice.
    if (!(error instanceof RateLimited)) return settings.logger.error(errorOf(error));
    await changeAddress(store, { userId: user.id, from: to, to: from, emailVerified: user.emailVerified ?? null });
    throw error;
  }
}

async function undoLinkOf(
  { context, store, user }: AccountActor,
  { userId, from, to }: PendingAddress,
  proven: Date,
): Promise<MailLink | undefined> {
  if (!from) return undefined;
  return undoLink(context, store, { userId, what: 'email', from, to, verified: user.emailVerified ?? null, proven });
}

/**
 * Returns the instant at which the new address counts as proven. It is later than that of the address before, because
 * undo links compare these instants. Two changes may happen in one second, or on servers whose clocks differ. Some
 * stores keep whole seconds.
 */
function nextProof({ user, now }: AccountActor): Date {
  const before = user.emailVerified?.getTime() ?? 0;
  const seconds = Math.floor(now.getTime() / 1000);
  return new Date(Math.max(seconds, Math.floor(before / 1000) + 1 || 0) * 1000);
}

/** The notice comes first: it is what the owner needs if an attacker has changed the address. */
async function afterChange(
  actor: AccountActor,
  { userId, from, to }: PendingAddress,
  emailVerified: Date,
  link: MailLink | undefined,
): Promise<readonly Cookie[]> {
  const { context, settings, user, now, facts } = actor;
  if (from) await notify(context, from, { kind: 'addressChanged', from, to, link });
  const except = { id: facts?.id, token: await session.storedToken(context) };
  await endUserSessions(settings, now, { userId, reason: 'email', except });
  await settings.emit('changeEmail', { user: { ...user, email: to, emailVerified }, from, to });
  return session.changeUser(context, { email: to });
}
