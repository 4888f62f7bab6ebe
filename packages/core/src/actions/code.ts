import { defaults } from '../config/defaults.ts';
import { verifyRequestUrl } from '../config/paths.ts';
import type { Context, Reply } from '../context.ts';
import { type ErrorCause, RateLimited, Verification } from '../errors.ts';
import { type EmailProvider, verifyingProvider } from '../identity/email/begin.ts';
import { attemptsAfter, readCode, takeAttempt } from '../identity/email/code.ts';
import { finishEmail } from '../identity/email/finish.ts';
import { emailStore, type Link, mailerOf, spendToken } from '../identity/email/store.ts';
import type { Proof } from '../identity/proof.ts';
import { type CountedAttempt, completeSignIn, type Resume } from '../linking/sign-in.ts';
import type { PendingMail } from '../pending/kinds.ts';
import { mailCookie, noMailCookie, pendingMail } from '../pending/mail.ts';
import { logFailure } from './log-failure.ts';
import { type Reserve, withRateLimit } from './rate-limited.ts';
import { isForCaller } from './replies.ts';

/** A mail whose code can be typed. */
type MailWithCode = PendingMail & { readonly token: string; readonly code: string };

/** A code does not sign in. */
interface Refusal {
  readonly error: Verification;
  /** The page still asks for the code. Otherwise only a new mail helps. */
  readonly isOpen: boolean;
}

/**
 * `POST code/<provider>`: the visitor types the code of the mail that this browser has requested. If the mail confirms
 * an address for another sign-in, that sign-in continues.
 */
export async function mailedCode(context: Context, configured: EmailProvider, resume: Resume): Promise<Reply> {
  const mail = await pendingMail(context, configured.id);
  const provider = mail?.resume ? verifyingProvider(configured) : configured;
  if (!hasCode(mail)) return refused(context, provider, refusal(provider, 'this browser does not wait for a code'));
  const typed = readCode(context.body.code);
  if (typed === undefined) {
    return refused(context, provider, { ...refusal(provider, 'the typed text is not a code'), isOpen: true });
  }
  const use = async (reservation: CountedAttempt): Promise<Reply> => {
    const result =
      reservation === exhausted
        ? noAttempt(provider)
        : await checkCode(context, provider, { mail, typed, reservation });
    if ('account' in result) return finished(context, mail, result, { resume, attempt: reservation });
    // The cookie keeps the address, for the button that requests a new mail.
    if (!result.isOpen)
      context.spentCookies.push(await mailCookie(context, { ...mail, token: undefined, code: undefined }));
    return refused(context, provider, result);
  };
  return withRateLimit(context, reserveFor(context, provider, mail), use, { isAlwaysCounted: true });
}

function hasCode(mail: PendingMail | undefined): mail is MailWithCode {
  return mail?.token !== undefined && mail.code !== undefined;
}

/** A reservation for a code whose attempts have all been counted. */
const exhausted: CountedAttempt = { release: async () => undefined };

/**
 * Some adapters read a token and delete it in two steps, so that simultaneous attempts would find the same row. The
 * rate limit counts them first, also if it is disabled for everything else.
 */
function reserveFor(context: Context, provider: EmailProvider, { token }: MailWithCode): Reserve {
  return async ({ reserveCode }) => {
    try {
      return await reserveCode(context, token, provider.maxAge ?? defaults.email.maxAge);
    } catch (error) {
      // A network has to wait. For this code, waiting does not help.
      if (error instanceof RateLimited && error.cause?.['by'] === 'identifier') return exhausted;
      throw error;
    }
  };
}

/** A code that a visitor has typed for a mail. */
interface CodeCheck {
  readonly mail: MailWithCode;
  readonly typed: string;
  readonly reservation: CountedAttempt;
}

/**
 * Checks one code. The attempt is taken out of the store before the code is compared. After the last one the link is
 * spent, too.
 */
async function checkCode(
  context: Context,
  provider: EmailProvider,
  { mail, typed, reservation }: CodeCheck,
): Promise<Proof | Refusal> {
  const link = { token: mail.token, email: mail.identifier, verifies: mail.resume?.provider };
  const store = await emailStore(context);
  const mailer = mailerOf(context, provider);
  const attempt = await takeAttempt(store, link, mailer);
  if (!attempt) {
    // Another attempt has the row at this moment, or none is left. The code is not checked, so it does not count.
    await reservation.release();
    return noAttempt(provider);
  }
  const left = await attemptsAfter(store, attempt, { typed, mailed: mail.code });
  if (left === undefined) return proofOf(context, provider, link);
  if (left === 0) await spendToken(store, link, mailer);
  return { ...refusal(provider, 'a wrong code', { left }), isOpen: left > 0 };
}

/** Spends the link of the mail. It may have been used on another device. */
async function proofOf(context: Context, provider: EmailProvider, link: Link): Promise<Proof | Refusal> {
  try {
    return await finishEmail(context, provider, link, 'code');
  } catch (error) {
    if (error instanceof Verification) return { error, isOpen: false };
    throw error;
  }
}

interface NextStep {
  readonly resume: Resume;
  readonly attempt: CountedAttempt;
}

async function finished(
  context: Context,
  mail: MailWithCode,
  proof: Proof,
  { resume, attempt }: NextStep,
): Promise<Reply> {
  context.spentCookies.push(noMailCookie(context));
  const callbackUrl = context.body.callbackUrl ? context.callbackUrl : (mail.returnTo ?? context.callbackUrl);
  const next = { ...context, callbackUrl };
  if (mail.resume) return resume(next, { email: mail.identifier, resume: mail.resume, attempt });
  return completeSignIn(next, proof, attempt);
}

function noAttempt(provider: EmailProvider): Refusal {
  return refusal(provider, 'no attempt is left for this code');
}

function refusal({ id }: EmailProvider, message: string, facts: ErrorCause = {}): Refusal {
  return { error: new Verification(message, { provider: id, ...facts }), isOpen: false };
}

/**
 * The reply to a code that does not sign in: the page that asks for it, with the stable code `Verification`.
 *
 * @throws {Verification} in raw mode.
 */
async function refused(context: Context, provider: EmailProvider, { error, isOpen }: Refusal): Promise<Reply> {
  if (isForCaller(context, error)) throw error;
  await logFailure(context, error);
  const redirect = verifyRequestUrl(context, provider, { hasCode: isOpen, error: Verification.shown });
  return { redirect, refused: true };
}
