import { limits } from '../config/defaults.ts';
import { pageAddress, pagePath } from '../config/paths.ts';
import type { Context, Reply } from '../context.ts';
import { OAuthAccountNotLinked } from '../errors.ts';
import type { Proof } from '../identity/proof.ts';
import { redact } from '../log/redact.ts';
import { noOfferCookie, offerCookies, offerExpiry, pendingOffer } from '../pending/offer.ts';
import type { SignedIn } from '../session/strategy.ts';
import { isSameUser } from '../store/users.ts';
import type { AdapterUser } from '../types/adapter.ts';
import type { OfferDecision } from './offer.ts';

/**
 * Offers a proven account to a user. Nothing of it is stored: the browser keeps the offer for 10 minutes, without
 * tokens. A user who is signed in is asked at once. Otherwise the reply leads to the sign-in page, and the user is
 * asked after the next sign-in.
 *
 * @throws {OAuthAccountNotLinked} if the ids of the account and the user are too long for a cookie.
 */
export async function makeOffer(context: Context, proof: Proof, decision: OfferDecision<AdapterUser>): Promise<Reply> {
  if (decision.do === 'choose-again') return { redirect: offerAddress(context, { chosen: 'other' }) };
  const { user, isSignedIn } = decision;
  const { provider, providerAccountId } = proof.account;
  const cookies = await offerCookies(context, {
    provider,
    providerAccountId,
    label: labelOf(proof),
    userId: String(user.id),
    address: user.email ?? undefined,
    isVerified: proof.emailStatus === 'verified' && !isSignedIn,
    expires: offerExpiry(context),
  });
  if (!cookies)
    throw new OAuthAccountNotLinked('the ids of the account and the user are too long for a cookie', { provider });
  context.settings.logger.debug('session', 'an account is offered to a user', () =>
    redact({ provider, userId: user.id }),
  );
  return { redirect: isSignedIn ? offerAddress(context) : signInAddress(context, provider), cookies };
}

/** The visitor recognizes the account by its address or its name. */
function labelOf({ user, account }: Proof): string {
  return (user.email || user.name || account.providerAccountId).slice(0, limits.offerLabel);
}

/** The page that asks whether to add the account. */
export function offerAddress(context: Context, params: { chosen?: 'other' } = {}): string {
  const { origin, basePath, callbackUrl } = context;
  return pagePath(`${origin}${basePath}/offer`, { callbackUrl, ...params });
}

function signInAddress({ settings, origin, basePath, callbackUrl }: Context, provider: string): string {
  const page = settings.pages.signIn ?? `${basePath}/signin`;
  const params = { callbackUrl, error: OAuthAccountNotLinked.shown, provider, reason: 'offer' };
  return pageAddress(origin, page, params);
}

/**
 * Returns the reply to a sign-in in a browser that has an offer. If the offer is for this user, the visitor is asked
 * once. An offer for another user, or of the account that was just added, is removed.
 */
export async function withOffer(context: Context, { user, account }: SignedIn, reply: Reply): Promise<Reply> {
  const offer = await pendingOffer(context);
  const isAdded = offer?.provider === account.provider && offer.providerAccountId === account.providerAccountId;
  if (!offer || isAdded || !isSameUser({ id: user.id }, { id: offer.userId }))
    return { ...reply, cookies: [...(reply.cookies ?? []), noOfferCookie(context)] };
  return offer.isShown ? reply : { ...reply, redirect: offerAddress(context) };
}
