import { defaults } from '../config/defaults.ts';
import type { Context, Reply } from '../context.ts';
import { equal } from '../crypto/bytes.ts';
import { readAsked } from '../entry/agent.ts';
import { Verification } from '../errors.ts';
import { resolveReturnTo } from '../guards/return-to.ts';
import { type EmailProvider, mailLink, ownerOf, readAddress } from '../identity/email/begin.ts';
import { finishEmail, isLinkOf, readLink } from '../identity/email/finish.ts';
import type { Link } from '../identity/email/store.ts';
import { askSignInCallback, type CountedAttempt, completeSignIn } from '../linking/sign-in.ts';
import { noMailCookie, pendingMail } from '../pending/mail.ts';
import { currentUser, read } from '../session/session.ts';
import type { User } from '../types/user.ts';
import { confirmEmailPage } from '../views/confirm-email.ts';
import { readChunked } from '../wire/cookie-chunks.ts';
import { pageReply } from '../wire/page.ts';
import { type Reserve, withRateLimit } from './rate-limited.ts';
import { resendTime, verifyRequestUrl } from './verify-request-page.ts';

/** `POST signin/<provider>`: mails a link to the address that the visitor has typed, or sends the last mail again. */
export async function startEmail(context: Context, provider: EmailProvider): Promise<Reply> {
  const { body, callbackUrl, now } = context;
  const pending = provider.confirm ? await pendingMail(context, provider.id) : undefined;
  const isAgain = pending !== undefined && body.email === undefined;
  const { identifier, isMasked } = isAgain ? pending : await readAddress(context, provider);
  const previous = pending?.identifier === identifier ? pending : undefined;
  if (previous && resendTime(previous) > now.getTime())
    return { redirect: verifyRequestUrl(context, provider, { hasCode: previous.code !== undefined }) };
  const returnTo = isAgain && !body.callbackUrl && pending.returnTo ? pending.returnTo : callbackUrl;
  const { user, account } = await ownerOf(context, provider, identifier);
  const reserve: Reserve = ({ reserveMail }) => reserveMail(context, identifier);
  return withRateLimit(context, reserve, async () => {
    const allowed = await askSignInCallback(context, { user, account, email: { verificationRequest: true } });
    if (!allowed.ok) return { redirect: await resolveReturnTo(context, allowed.redirectTo) };
    const order = { identifier, isMasked, returnTo, previous, resume: previous?.resume };
    const { hasCode, cookies } = await mailLink(context, provider, order);
    return { redirect: verifyRequestUrl(context, provider, { hasCode }), cookies };
  });
}

/** The URL of this reply is the link itself, so it must not be passed on or kept. */
const discreet = { 'referrer-policy': 'no-referrer', 'cache-control': 'private, no-store' };

/**
 * `GET` or `POST callback/<provider>`: the visitor opens a mailed link. In these cases the link shows a page whose form
 * spends the token:
 *
 * - The browser loads the link before the visitor opens it.
 * - Another user is signed in, whose session would end. Anyone can mail a link for an address of their own.
 * - The provider has the option `confirm`. Scanners that follow each link in a mail do not submit a form. With
 *   `'other-browser'`, the browser that requested the mail is excepted.
 */
export async function emailCallback(context: Context, provider: EmailProvider): Promise<Reply> {
  const isPost = context.incoming.method === 'POST';
  const link = readLink(isPost ? { ...context.query, ...context.body } : context.query, provider);
  if (!isPost) {
    if (isPrefetch(context)) return confirmPage(context, provider, link);
    const other = await otherUser(context, link);
    if (other || !(await opensAtOnce(context, provider, link))) return confirmPage(context, provider, link, other);
  }
  const reply = await spendLink(context, provider, link);
  return { ...reply, headers: { ...reply.headers, ...discreet } };
}

/** Does the link sign in without a page? */
async function opensAtOnce(context: Context, provider: EmailProvider, link: Link): Promise<boolean> {
  if (provider.confirm !== 'other-browser') return provider.confirm !== true;
  // Fetch Metadata: scripts and images of a page that has learned the link do not navigate.
  if ((context.incoming.header('sec-fetch-mode') ?? 'navigate') !== 'navigate') return false;
  const mail = await pendingMail(context, provider.id);
  return mail?.token !== undefined && mail.identifier === link.email && equal(mail.token, link.token);
}

async function spendLink(context: Context, provider: EmailProvider, link: Link): Promise<Reply> {
  const spend = async (attempt?: CountedAttempt): Promise<Reply> => {
    const proof = await finishEmail(context, provider, link, 'link');
    const mail = provider.confirm ? await pendingMail(context, provider.id) : undefined;
    // The mail that this browser requested for the same address is not needed any more.
    if (mail?.identifier === proof.account.providerAccountId) context.spentCookies.push(noMailCookie(context));
    return completeSignIn(context, proof, attempt);
  };
  if (!provider.generateVerificationToken || link.token.length >= defaults.email.shortToken) return spend();
  const { email } = link;
  // The visitor can remove the address from a link. A guess would then match the tokens of all addresses.
  if (email === undefined) throw new Verification('a link with a short token needs the address, too');
  return withRateLimit(context, ({ reserveToken }) => reserveToken(context, email), spend);
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
 * @returns `undefined` if no session would be replaced by that of another user.
 */
async function otherUser(context: Context, link: Link): Promise<OtherUser | undefined> {
  const { settings, cookies, cookieTable } = context;
  const user = await currentUser(context);
  if (user) return isLinkOf(link, user) ? undefined : user;
  if (settings.strategy !== 'jwt' || readChunked(cookies, cookieTable.sessionToken.name) === undefined)
    return undefined;
  // The store does not have each user of a JWT session: `authorize()` can return others.
  const { session } = await read(context);
  return session ? {} : undefined;
}

async function confirmPage(context: Context, provider: EmailProvider, link: Link, other?: OtherUser): Promise<Reply> {
  const { settings, csrfToken, callbackUrl, query, now } = context;
  const { theme } = settings;
  const page = confirmEmailPage({
    ...{ theme, csrfToken, callbackUrl, ...link },
    signedInAs: other && (other.email || other.name || 'another user'),
    asked: provider.confirm ? readAsked(query.asked) : undefined,
    now,
    hasCode: provider.code === true,
    action: provider.callbackUrl,
  });
  // With `no-referrer` browsers post the form with `Origin: null`, which frameworks that check the origin refuse.
  return pageReply({ ...page, unlisted: true, referrerPolicy: 'strict-origin' });
}
