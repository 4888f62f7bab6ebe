import { defaults } from '../config/defaults.ts';
import { providersOf } from '../config/provider.ts';
import type { Context } from '../context.ts';
import { randomBase64Url } from '../crypto/bytes.ts';
import { AuthError, BadRequest, EmailSignInError, errorOf } from '../errors.ts';
import { canonicalAddress, isMailable } from '../identity/email/address.ts';
import { acceptedAddress } from '../identity/email/begin.ts';
import { allAttempts, newCode, storeAttempt } from '../identity/email/code.ts';
import { addressCookies } from '../pending/address.ts';
import type { PendingAddress } from '../pending/kinds.ts';
import { requireMethod } from '../store/methods.ts';
import type { Store } from '../store/store.ts';
import { hasAddress, userByAddress } from '../store/users.ts';
import type { AdapterUser } from '../types/adapter.ts';
import type { AccountChange } from './actor.ts';
import { canMail, mailAbout } from './notices.ts';
import { requireNoRestoredAddress } from './restored.ts';
import { addressRow } from './token-row.ts';
import { partUrl } from './urls.ts';

/**
 * Mails a link and a code to the new address of the field `email`. Nothing changes until one of them is used in this
 * browser.
 *
 * The answer, the calls of the store and the number of mails are the same if another user has the address. The mail
 * then says that an account exists, and the code that is stored is in no mail.
 */
export const changeEmail: AccountChange = async (actor, fields) => {
  const { context, user, store } = actor;
  if (!canMail(context)) {
    throw new AuthError('an address is changed by mail. Add a built-in email provider, or set `mail.send`');
  }
  const to = await readNewAddress(context, fields['email']);
  if (user.email && hasAddress(user, to)) return { result: { sent: false } };
  await requireNoRestoredAddress(actor);
  await countMail(context, to);
  const isTaken = (await userByAddress(store, to)) !== null;
  const pending = await storePending(context, store, user, to);
  await mailPending(context, pending, isTaken);
  return {
    next: partUrl(context, 'confirm'),
    cookies: await addressCookies(context, pending),
    result: { sent: true },
  };
};

/**
 * Reads the new address, in the form in which the email provider looks users up.
 *
 * @throws {BadRequest} if it is not one plain address.
 * @throws {EmailSignInError} if the application's `normalizeIdentifier` refuses it.
 */
async function readNewAddress({ settings, origin, basePath }: Context, typed: unknown): Promise<string> {
  const address = canonicalAddress(typed);
  const provider = providersOf(settings, origin + basePath).find((one) => one.type === 'email');
  const accepted = provider && address !== undefined ? await acceptedAddress(address, provider) : address;
  if (!isMailable(accepted)) throw new BadRequest('the field `email` must be one plain address');
  return accepted;
}

async function countMail(context: Context, to: string): Promise<void> {
  if (context.settings.config.rateLimit === false) return;
  const { reserveMail } = await import('../rate-limit/reserve.ts');
  await reserveMail(context, to);
}

async function storePending(context: Context, store: Store, user: AdapterUser, to: string): Promise<PendingAddress> {
  const userId = String(user.id);
  const pending = { userId, from: user.email ?? null, to, token: randomBase64Url(32), code: newCode() };
  const row = await addressRow(context, pending);
  await requireMethod(store, 'createVerificationToken')(row);
  await storeAttempt(store, allAttempts(row));
  return pending;
}

async function mailPending(context: Context, { to, token, code }: PendingAddress, isTaken: boolean): Promise<void> {
  const url = `${partUrl(context, 'confirm')}?${new URLSearchParams({ token })}`;
  const link = { url, seconds: defaults.account.newAddress, secret: token };
  try {
    await mailAbout(context, to, isTaken ? { kind: 'addressTaken' } : { kind: 'confirmAddress', code, link });
  } catch (error) {
    if (error instanceof AuthError) throw error;
    throw new EmailSignInError('the mail to the new address could not be sent', { err: errorOf(error) });
  }
}
