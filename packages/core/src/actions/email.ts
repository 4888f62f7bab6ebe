import { defaults } from '../config/defaults.ts';
import { languageOf } from '../config/language.ts';
import { verifyRequestUrl } from '../config/paths.ts';
import { nameOfProvider } from '../config/provider.ts';
import type { Context, Reply } from '../context.ts';
import { equal } from '../crypto/bytes.ts';
import { readAsked } from '../entry/agent.ts';
import { Verification } from '../errors.ts';
import { resolveReturnTo } from '../guards/return-to.ts';
import {
  type AddressOwner,
  type EmailProvider,
  type MailOrder,
  mailLink,
  ownerOf,
  readAddress,
  verifyingProvider,
} from '../identity/email/begin.ts';
import { finishEmail, isLinkOf, readLink } from '../identity/email/finish.ts';
import type { Link } from '../identity/email/store.ts';
import { askSignInCallback, type CountedAttempt, completeSignIn, type Resume } from '../linking/sign-in.ts';
import type { PendingMail } from '../pending/kinds.ts';
import { isRequester, mayBePlanted, noMailCookie, pendingMail } from '../pending/mail.ts';
import { currentUser, read } from '../session/session.ts';
import type { SignInCallbackParams } from '../types/config.ts';
import type { VerifiedProvider } from '../types/provider.ts';
import type { User } from '../types/user.ts';
import { confirmEmailPage } from '../views/confirm-email.ts';
import { pageReply } from '../wire/page.ts';
import { scriptUrl } from './asset.ts';
import { type Reserve, withRateLimit } from './rate-limited.ts';
import { resendTime } from './verify-request-page.ts';

/** `POST signin/<provider>`: mails a link to the address that the visitor has typed, or sends the last mail again. */
export async function startEmail(context: Context, provider: EmailProvider): Promise<Reply> {
  const { body, callbackUrl } = context;
  const pending = await requestedMail(context, provider);
  if (pending && body.email === undefined) return sendAgain(context, provider, pending);
  const { identifier, isMasked } = await readAddress(context, provider);
  // A visitor who types an address wants to sign in with it, and not to continue a sign-in that waits here.
  const previous = pending?.identifier === identifier && !pending.resume ? pending : undefined;
  return sendMail(context, provider, { identifier, isMasked, returnTo: callbackUrl, previous });
}

/** The mail that this browser has requested. Without `confirm`, browsers have only mails that confirm an address. */
async function requestedMail(context: Context, { id, confirm }: EmailProvider): Promise<PendingMail | undefined> {
  const mail = await pendingMail(context, id);
  return confirm || mail?.resume ? mail : undefined;
}

function sendAgain(context: Context, configured: EmailProvider, pending: PendingMail): Promise<Reply> {
  const { body, callbackUrl } = context;
  const { identifier, isMasked, resume } = pending;
  const provider = resume ? verifyingProvider(configured) : configured;
  const returnTo = body.callbackUrl ? callbackUrl : (pending.returnTo ?? callbackUrl);
  return sendMail(context, provider, { identifier, isMasked, returnTo, previous: pending, resume });
}

async function sendMail(context: Context, provider: EmailProvider, order: MailOrder): Promise<Reply> {
  const { identifier, previous, resume } = order;
  if (previous && resendTime(previous) > context.now.getTime())
    return { redirect: verifyRequestUrl(context, provider, { hasCode: previous.code !== undefined }) };
  const reserve: Reserve = ({ reserveMail }) => reserveMail(context, identifier);
  const owner = await ownerOf(context, provider, identifier);
  return withRateLimit(context, reserve, async () => {
    // The callback was asked about the account that waits for the proof, and will be asked again.
    const allowed = resume ? { ok: true as const } : await askSignInCallback(context, verificationRequest(owner));
    if (!allowed.ok) return { redirect: await resolveReturnTo(context, allowed.redirectTo) };
    const { hasCode, cookies } = await mailLink(context, provider, order);
    return { redirect: verifyRequestUrl(context, provider, { hasCode }), cookies };
  });
}

function verificationRequest({ user, account }: AddressOwner): SignInCallbackParams {
  return { user, account, email: { verificationRequest: true } };
}

/** The URL of this reply is the link itself, so it must not be passed on or kept. */
const discreet = { 'referrer-policy': 'no-referrer', 'cache-control': 'private, no-store' };

/**
 * `GET` or `POST callback/<provider>`: the visitor opens a mailed link. In these cases the link shows a page whose form
 * spends the token:
 *
 * - The browser loads the link before the visitor opens it.
 * - Another user is signed in, whose session would end. Anyone can mail a link for an address of their own.
 * - The provider has the option `confirm`, or the link confirms an address for another sign-in. Scanners that follow
 *   each link in a mail do not submit a form. With `'other-browser'`, the browser that requested the mail is excepted.
 *
 * A link that confirms an address continues the other sign-in only in the browser that requested the mail. In another
 * one it signs in by mail. If another site may have planted the cookie of the mail, no browser counts as the one that
 * requested it.
 */
export async function emailCallback(context: Context, configured: EmailProvider, resume: Resume): Promise<Reply> {
  const isPost = context.incoming.method === 'POST';
  const link = readLink(isPost ? { ...context.query, ...context.body } : context.query, configured);
  const provider = link.verifies === undefined ? configured : verifyingProvider(configured);
  const mail = provider.confirm ? await pendingMail(context, provider.id) : undefined;
  const visit: Visit = { link, mail, isAsker: isMailOf(mail, link) && !mayBePlanted(context) };
  if (!isPost) {
    if (isPrefetch(context)) return confirmPage(context, provider, visit);
    const other = await otherUser(context, link);
    if (other || !opensAtOnce(context, provider, visit)) return confirmPage(context, provider, visit, other);
  }
  const reply = await spendLink(context, provider, visit, resume);
  return { ...reply, headers: { ...reply.headers, ...discreet } };
}

/** A link, in the browser that opens it. */
interface Visit {
  readonly link: Link;
  /** The mail that this browser has requested. */
  readonly mail: PendingMail | undefined;
  /** The browser has certainly requested the mail of this link. */
  readonly isAsker: boolean;
}

function isMailOf(mail: PendingMail | undefined, { token, email, verifies }: Link): boolean {
  if (mail?.token === undefined || mail.identifier !== email || mail.resume?.provider !== verifies) return false;
  return equal(mail.token, token);
}

/** Does the link sign in without a page? */
function opensAtOnce({ incoming }: Context, { confirm }: EmailProvider, { isAsker }: Visit): boolean {
  if (confirm !== 'other-browser') return confirm !== true;
  // Fetch Metadata: scripts and images of a page that has learned the link do not navigate.
  return isAsker && (incoming.header('sec-fetch-mode') ?? 'navigate') === 'navigate';
}

async function spendLink(
  context: Context,
  provider: EmailProvider,
  { link, mail, isAsker }: Visit,
  resume: Resume,
): Promise<Reply> {
  const spend = async (attempt?: CountedAttempt): Promise<Reply> => {
    const proof = await finishEmail(context, provider, link, 'link');
    const email = proof.account.providerAccountId;
    // The mail that this browser requested for the same address is not needed any more.
    if (mail?.identifier === email) context.spentCookies.push(noMailCookie(context));
    if (isAsker && mail?.resume) return resume(context, { email, resume: mail.resume, attempt });
    return completeSignIn(
      context,
      { ...proof, isOfOtherBrowser: !(await isOfBrowser(context, provider, link)) },
      attempt,
    );
  };
  if (!provider.generateVerificationToken || link.token.length >= defaults.email.shortToken) return spend();
  const { email } = link;
  // The visitor can remove the address from a link. A guess would then match the tokens of all addresses.
  if (email === undefined) throw new Verification('a link with a short token needs the address, too');
  return withRateLimit(context, ({ reserveToken }) => reserveToken(context, email), spend);
}

/**
 * Does the session of a link belong to the browser that opens it? An attacker can get a person to open a link for the
 * attacker's own address. If the person then signed in at a provider, that account would be added to the attacker's
 * user. A button names the user, so it may be pressed in any browser.
 */
async function isOfBrowser(context: Context, { confirm }: EmailProvider, { token }: Link): Promise<boolean> {
  if (confirm || context.incoming.method === 'POST') return true;
  return isRequester(context, context.query['browser'], token);
}

/** Is the page loaded before the visitor opens it? (Fetch Metadata, `Sec-Purpose`; older browsers send `Purpose`.) */
function isPrefetch({ incoming }: Context): boolean {
  return ['sec-purpose', 'purpose'].some((name) => /\bprefetch\b/i.test(incoming.header(name) ?? ''));
}

/** The user of a session that a link would replace. Without members if the store does not have the user. */
type OtherUser = Pick<User, 'email' | 'name'>;

/**
 * The user who is signed in, unless it is the user of the link. A link without an address may be for anyone.
 *
 * @returns `undefined` if no session would be replaced by a session of another user.
 */
async function otherUser(context: Context, link: Link): Promise<OtherUser | undefined> {
  const user = await currentUser(context);
  if (user) return isLinkOf(link, user) ? undefined : user;
  if (context.settings.strategy !== 'jwt') return undefined;
  // The store does not have each user of a JWT session: `authorize()` can return others.
  const { session, cookies } = await read({ ...context, call: { ...context.call, renew: 'when-due' } });
  context.renewal.cookies = cookies;
  return session ? {} : undefined;
}

async function confirmPage(
  context: Context,
  provider: EmailProvider,
  { link, isAsker }: Visit,
  other?: OtherUser,
): Promise<Reply> {
  const { settings, csrfToken, callbackUrl, query, now, origin, basePath } = context;
  const { pageTheme: theme } = settings;
  const { token, email, verifies } = link;
  const language = await languageOf(context);
  const page = confirmEmailPage({
    ...{ theme, language, csrfToken, callbackUrl, token, email, isAsker },
    verifies: verifies === undefined ? undefined : verifiedProvider(context, verifies),
    signedInAs: other && (other.email || other.name || language.texts.confirmEmail.anotherUser),
    asked: provider.confirm ? readAsked(query.asked) : undefined,
    now,
    hasCode: provider.code === true,
    action: provider.callbackUrl,
    scripts: [await scriptUrl(origin + basePath, 'page.js')],
  });
  // With `no-referrer` browsers post the form with `Origin: null`, which frameworks that check the origin refuse.
  return pageReply({ ...page, unlisted: true, referrerPolicy: 'strict-origin' });
}

/** @throws {Verification} if the link names a provider that is not configured. */
function verifiedProvider({ settings, origin, basePath }: Context, id: string): VerifiedProvider {
  const name = nameOfProvider(settings, id, origin + basePath);
  if (name === undefined) throw new Verification('the link confirms an address for a provider that is not configured');
  return { provider: id, name };
}
