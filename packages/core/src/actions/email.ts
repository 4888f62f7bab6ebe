import type { Context, Reply } from '../context.ts';
import { resolveReturnTo } from '../guards/return-to.ts';
import { type EmailProvider, mailLink, readLinkRequest } from '../identity/email/begin.ts';
import { finishEmail, isLinkOf, readLink } from '../identity/email/finish.ts';
import type { Link } from '../identity/email/store.ts';
import { askSignInCallback, type CountedAttempt, completeSignIn } from '../linking/sign-in.ts';
import { currentUser, read } from '../session/session.ts';
import type { User } from '../types/user.ts';
import { confirmEmailPage } from '../views/email.ts';
import { readChunked } from '../wire/cookie-chunks.ts';
import { pageReply } from '../wire/page.ts';
import { type Reserve, withRateLimit } from './rate-limited.ts';

/** `POST signin/<provider>`: mails a link to the address that the visitor has typed. */
export async function startEmail(context: Context, provider: EmailProvider): Promise<Reply> {
  const request = await readLinkRequest(context, provider);
  const { identifier, user, account } = request;
  const reserve: Reserve = ({ reserveMail }) => reserveMail(context, identifier);
  return withRateLimit(context, reserve, async () => {
    const allowed = await askSignInCallback(context, { user, account, email: { verificationRequest: true } });
    if (!allowed.ok) return { redirect: await resolveReturnTo(context, allowed.redirectTo) };
    await mailLink(context, provider, request);
    const query = new URLSearchParams({ provider: provider.id, type: 'email' });
    return { redirect: `${context.origin}${context.basePath}/verify-request?${query}` };
  });
}

/** The URL of this reply is the link itself, so it must not be passed on or kept. */
const discreet = { 'referrer-policy': 'no-referrer', 'cache-control': 'private, no-store' };

/**
 * `GET` or `POST callback/<provider>`: the visitor opens a mailed link. In these cases the link shows a page whose form
 * spends the token:
 *
 * - The provider has the option `confirm`. Scanners that follow each link in a mail do not submit a form.
 * - The browser loads the link before the visitor opens it.
 * - Another user is signed in, whose session would end. Anyone can mail a link for an address of their own.
 */
export async function emailCallback(context: Context, provider: EmailProvider): Promise<Reply> {
  const isPost = context.incoming.method === 'POST';
  const link = readLink(isPost ? { ...context.query, ...context.body } : context.query, provider);
  if (!isPost) {
    if (provider.confirm === true || isPrefetch(context)) return confirmPage(context, provider, link);
    const other = await otherUser(context, link);
    if (other) return confirmPage(context, provider, link, other);
  }
  const reply = await spendLink(context, provider, link);
  return { ...reply, headers: { ...reply.headers, ...discreet } };
}

/** Characters below which a token can be guessed. Only those of the application's own making are so short. */
const SHORT_TOKEN = 16;

async function spendLink(context: Context, provider: EmailProvider, link: Link): Promise<Reply> {
  const spend = async (attempt?: CountedAttempt): Promise<Reply> =>
    completeSignIn(context, await finishEmail(context, provider, link), attempt);
  if (!provider.generateVerificationToken || link.token.length >= SHORT_TOKEN) return spend();
  return withRateLimit(context, ({ reserveToken }) => reserveToken(context, link.email), spend);
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
  const { settings, csrfToken, callbackUrl } = context;
  const { theme } = settings;
  const signedInAs = other && (other.email || other.name || 'another user');
  const page = confirmEmailPage({ theme, csrfToken, callbackUrl, ...link, signedInAs, action: provider.callbackUrl });
  // With `no-referrer` browsers post the form with `Origin: null`, which frameworks that check the origin refuse.
  return pageReply({ ...page, referrerPolicy: 'strict-origin' });
}
