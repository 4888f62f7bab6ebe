import { recentActor } from '../account/recent.ts';
import { languageOf } from '../config/language.ts';
import { signInAgainUrl } from '../config/paths.ts';
import { nameOfProvider, providerOf } from '../config/provider.ts';
import type { Context, Reply } from '../context.ts';
import { beginOAuth } from '../identity/oauth/begin.ts';
import { accountHash } from '../identity/proven.ts';
import { offerAddress } from '../linking/make-offer.ts';
import { type NoOffer, openOffer } from '../linking/open-offer.ts';
import { noOfferCookie, offerCookies } from '../pending/offer.ts';
import { offerPage as offerView } from '../views/add-account.ts';
import { pageReply } from '../wire/page.ts';
import { nameOfUser, signInFirst } from './add-account.ts';
import { requireUsable } from './provider-problems.ts';

/** `GET offer`: asks the user whether to add the account that this browser has proven. */
export async function offerPage(context: Context): Promise<Reply> {
  const found = await openOffer(context);
  if (!found.offer) return otherwise(context, found);
  const { offer, user } = found;
  const { settings, csrfToken, callbackUrl, query, origin, basePath } = context;
  const page = offerView({
    ...{ theme: settings.pageTheme, csrfToken, callbackUrl },
    language: await languageOf(context),
    provider: nameOfProvider(settings, offer.provider, origin + basePath) ?? offer.provider,
    label: offer.label,
    user: nameOfUser(user),
    hasChosenOther: query.chosen === 'other',
    offerUrl: `${origin}${basePath}/offer`,
  });
  const cookies = offer.isShown ? [] : ((await offerCookies(context, { ...offer, isShown: true })) ?? []);
  return { ...(await pageReply(page)), cookies };
}

/**
 * `POST offer`: the user agrees or not. The user has to prove the account once more, because an offer has no tokens.
 * The callback refuses every other account.
 *
 * @throws {AuthError} if the configuration of the provider has a problem.
 * @throws {RecentSignInRequired} unless the user has signed in at most 10 minutes ago.
 */
export async function answerOffer(context: Context): Promise<Reply> {
  const found = await openOffer(context);
  if (!found.offer) return otherwise(context, found);
  const { offer, user } = found;
  const { settings, origin, basePath } = context;
  const provider = providerOf(settings, offer.provider, origin + basePath);
  if (context.body.answer !== 'add' || (provider?.type !== 'oauth' && provider?.type !== 'oidc'))
    return otherwise(context, { state: 'remove' });
  requireUsable(context, provider.id);
  await recentActor(context, signInAgainUrl(context, offerAddress(context)));
  const adds = { account: await accountHash({ account: offer }) };
  // The parameters of this request are not for the provider.
  const hinted = { ...context, query: { login_hint: offer.label } };
  return beginOAuth(hinted, provider, { startedBy: String(user.id), adds });
}

/** The reply without an offer: the visitor signs in first, or goes on without a message. */
function otherwise(context: Context, { state }: NoOffer): Reply {
  if (state === 'sign-in') return signInFirst(context, offerAddress(context));
  return { redirect: context.callbackUrl, cookies: [noOfferCookie(context)] };
}
