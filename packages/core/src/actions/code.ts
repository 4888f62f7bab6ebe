import { defaults } from '../config/defaults.ts';
import type { Context, Reply } from '../context.ts';
import { equal } from '../crypto/bytes.ts';
import { RateLimited, Verification } from '../errors.ts';
import type { EmailProvider } from '../identity/email/begin.ts';
import { readCode, storeAttempt, takeAttempt } from '../identity/email/code.ts';
import { finishEmail } from '../identity/email/finish.ts';
import { emailStore, mailerOf, spendToken } from '../identity/email/store.ts';
import { type CountedAttempt, completeSignIn } from '../linking/sign-in.ts';
import type { PendingMail } from '../pending/kinds.ts';
import { mailCookie, noMailCookie, pendingMail } from '../pending/mail.ts';
import type { Cookie } from '../types/config.ts';
import { type Reserve, withRateLimit } from './rate-limited.ts';
import { isForCaller } from './replies.ts';
import { verifyRequestUrl } from './verify-request-page.ts';

/** A mail whose code can be typed. */
type MailWithCode = PendingMail & { readonly token: string; readonly code: string };

/** A code was refused. */
interface Refusal {
  /** The page still asks for the code. */
  readonly isOpen: boolean;
  readonly cookies?: readonly Cookie[];
}

/** `POST code/<provider>`: the visitor types the code of the mail that this browser has requested. */
export async function mailedCode(context: Context, provider: EmailProvider): Promise<Reply> {
  const mail = await pendingMail(context, provider.id);
  if (!hasCode(mail)) {
    const error = new Verification('this browser waits for no code, or the code has expired', {
      provider: provider.id,
    });
    return refused(context, provider, error, { isOpen: false });
  }
  const typed = readCode(context.body.code);
  if (typed === undefined) {
    const error = new Verification('the typed text is not a code of eight digits', { provider: provider.id });
    return refused(context, provider, error, { isOpen: true });
  }
  try {
    return await withRateLimit(context, placeFor(context, provider, mail), (place) =>
      attempt(context, provider, mail, typed, place),
    );
  } catch (error) {
    if (!(error instanceof Verification)) throw error;
    // Only a new mail helps now. The cookie keeps the address, for the button that requests it.
    const cookie = await mailCookie(context, { ...mail, token: undefined, code: undefined });
    return refused(context, provider, error, { isOpen: false, cookies: [cookie] });
  }
}

function hasCode(mail: PendingMail | undefined): mail is MailWithCode {
  return mail?.token !== undefined && mail.code !== undefined;
}

/**
 * Some adapters read a token and delete it in two steps, so that simultaneous attempts would find the same row. The
 * rate limit counts them first.
 */
function placeFor(context: Context, provider: EmailProvider, { token }: MailWithCode): Reserve {
  return async ({ reserveCode }) => {
    try {
      return await reserveCode(context, token, provider.maxAge ?? defaults.email.maxAge);
    } catch (error) {
      // A network has to wait. For this code, waiting does not help.
      if (error instanceof RateLimited && error.cause?.['by'] === 'identifier') throw noAttempts(context);
      throw error;
    }
  };
}

function noAttempts({ providerId }: Context): Verification {
  return new Verification('no attempt is left for this code', { provider: providerId });
}

/**
 * Judges one code. The attempt is taken out of the store before the code is compared. A wrong code puts back one
 * attempt less; after the last one the link is spent, too.
 *
 * @param place The place in the rate limit, which a right code gives back.
 * @throws {Verification} if no attempt is left, or if the link of the mail was used.
 */
async function attempt(
  context: Context,
  provider: EmailProvider,
  mail: MailWithCode,
  typed: string,
  place: CountedAttempt,
): Promise<Reply> {
  const link = { token: mail.token, email: mail.identifier };
  const store = await emailStore(context);
  const taken = await takeAttempt(store, link, mailerOf(context, provider));
  if (!taken) throw noAttempts(context);
  if (!equal(typed, mail.code)) {
    const left = taken.left - 1;
    if (left === 0) {
      await spendToken(store, link, mailerOf(context, provider));
      throw new Verification('the last wrong code', { provider: provider.id });
    }
    await storeAttempt(store, { ...taken, left });
    const error = new Verification('a wrong code', { provider: provider.id, left });
    return refused(context, provider, error, { isOpen: true });
  }
  const proof = await finishEmail(context, provider, link, 'code');
  context.spentCookies.push(noMailCookie(context));
  const callbackUrl = context.body.callbackUrl ? context.callbackUrl : (mail.returnTo ?? context.callbackUrl);
  return completeSignIn({ ...context, callbackUrl }, proof, place);
}

/**
 * The reply to a code that does not sign in: the page that asks for it, with the stable code `Verification`.
 *
 * @throws {Verification} in raw mode.
 */
function refused(context: Context, provider: EmailProvider, error: Verification, refusal: Refusal): Reply {
  const { isOpen, cookies } = refusal;
  context.spentCookies.push(...(cookies ?? []));
  context.settings.logger.error(error);
  if (isForCaller(context, error)) throw error;
  const redirect = verifyRequestUrl(context, provider, { hasCode: isOpen, error: Verification.shown });
  return { redirect, refused: true };
}
