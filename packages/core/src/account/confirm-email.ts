import { defaults } from '../config/defaults.ts';
import type { Context } from '../context.ts';
import { equal } from '../crypto/bytes.ts';
import { type RateLimited, Verification } from '../errors.ts';
import { readCode, storeAttempt, takeAttemptOf } from '../identity/email/code.ts';
import { takeRow } from '../identity/email/store.ts';
import { noAddressCookie, pendingAddress } from '../pending/address.ts';
import type { PendingAddress } from '../pending/kinds.ts';
import { endUserSessions } from '../session/end-user.ts';
import * as session from '../session/session.ts';
import type { Cookie } from '../types/config.ts';
import { type AccountActor, readActor } from './actor.ts';
import { changeAddress } from './address.ts';
import { notify, undoLink } from './notices.ts';
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
 * @throws {RateLimited} if there were too many attempts.
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
  return typed === undefined ? refused('the typed text is not a code', true) : judge(asked, typed);
}

function refused(reason: string, isOpen = false, cookies: readonly Cookie[] = []): Confirmation {
  return { error: new Verification(reason), isOpen, cookies };
}

/** The attempt is taken out of the store before the code is compared, as for the code of a sign-in mail. */
async function judge(asked: AskedChange, typed: string): Promise<Confirmation> {
  const { actor, pending } = asked;
  const { context, store } = actor;
  const { reserveCode } = await import('../rate-limit/reserve.ts');
  await reserveCode(context, pending.token, defaults.account.newAddress);
  const row = await addressRow(context, pending);
  const attempt = await takeAttemptOf(store, row.identifier, row.token);
  if (attempt && equal(typed, pending.code)) return complete(asked);
  const left = attempt ? attempt.left - 1 : 0;
  if (attempt && left > 0) {
    await storeAttempt(store, { ...attempt, left });
    return refused('a wrong code', true);
  }
  await takeRow(store, row.identifier, row.token);
  return refused('no attempt is left for this code', false, [noAddressCookie(context)]);
}

async function complete({ actor, pending }: AskedChange): Promise<Confirmation> {
  const { context, store } = actor;
  const { identifier, token } = await addressRow(context, pending);
  const row = await takeRow(store, identifier, token);
  const over = [noAddressCookie(context)];
  // Written as !(a >= b) so that an Invalid Date counts as expired.
  if (!row || !(row.expires.getTime() >= actor.now.getTime())) {
    return refused('the link or the code was used, or has expired', false, over);
  }
  const { from, to } = pending;
  // Whole seconds: the undo link compares this instant with its own, which is exact to the second.
  const emailVerified = new Date(Math.floor(actor.now.getTime() / 1000) * 1000);
  const result = await changeAddress(store, { userId: actor.user.id, from, to, emailVerified });
  if (result !== 'changed') return refused(`the address was not changed: ${result}`, false, over);
  return { cookies: [...over, ...(await afterChange(actor, from, to, emailVerified))] };
}

/** The notice comes first: it is what the owner needs if an attacker has changed the address. */
async function afterChange(
  actor: AccountActor,
  from: string | null,
  to: string,
  emailVerified: Date,
): Promise<readonly Cookie[]> {
  const { context, settings, store, user, now, facts } = actor;
  const userId = String(user.id);
  if (from) {
    const undo = { userId, what: 'email', from, to, verified: user.emailVerified ?? null } as const;
    await notify(context, from, { kind: 'addressChanged', from, to, link: await undoLink(context, store, undo) });
  }
  const except = { id: facts?.id, token: await session.storedToken(context) };
  await endUserSessions(settings, now, { userId, reason: 'email', except });
  await settings.emit('changeEmail', { user: { ...user, email: to, emailVerified }, from, to });
  return session.changeUser(context, { email: to });
}
