import { nameOfProvider } from '../config/provider.ts';
import type { Context } from '../context.ts';
import type { PendingOffer } from '../pending/kinds.ts';
import { pendingOffer } from '../pending/offer.ts';
import { currentUser } from '../session/session.ts';
import { requireMethod } from '../store/methods.ts';
import type { AdapterUser } from '../types/adapter.ts';
import { decideOffer, type OfferState } from './offer.ts';

/** An offer to the user who is signed in, or the reason why nothing is offered. */
export type OpenedOffer = { readonly offer: PendingOffer; readonly user: AdapterUser } | NoOffer;

/** There is no offer to the user who is signed in. */
export interface NoOffer {
  readonly offer?: undefined;
  readonly state: Exclude<OfferState, 'show'>;
}

/** Returns the offer that the browser has, if it still holds. See {@link decideOffer}. */
export async function openOffer(context: Context): Promise<OpenedOffer> {
  const { settings, origin, basePath } = context;
  const offer = await pendingOffer(context);
  const user = offer ? await currentUser(context, true) : null;
  const state = decideOffer({
    offer: offer && { userId: offer.userId, address: offer.address },
    signedIn: user,
    isOwned: offer !== undefined && (await isOwned(context, offer)),
    isProviderKnown: offer !== undefined && nameOfProvider(settings, offer.provider, origin + basePath) !== undefined,
  });
  if (state === 'show' && offer && user) return { offer, user };
  return { state: state === 'sign-in' ? 'sign-in' : 'remove' };
}

async function isOwned(context: Context, { provider, providerAccountId }: PendingOffer): Promise<boolean> {
  const store = await context.settings.store();
  return !store || (await requireMethod(store, 'getUserByAccount')({ provider, providerAccountId })) !== null;
}
