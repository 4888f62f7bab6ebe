import { usableProviders } from '../account/ways.ts';
import { DEFAULT_ACCOUNT } from '../config/settings.ts';
import type { Context } from '../context.ts';
import { pendingOffer } from '../pending/offer.ts';

/** The ways to sign in of the user to whom an account is offered. */
export interface OfferWays {
  /** Ids of the providers. */
  readonly providers: ReadonlySet<string>;
  readonly email: string | undefined;
}

/**
 * Returns the ways to sign in of the user of an offer, for the sign-in page. The provider has verified that the visitor
 * has the user's address. Without that, the page must not tell which ways a user has.
 *
 * @returns `undefined` if the page has to show all ways.
 */
export async function waysOfOffer(context: Context): Promise<OfferWays | undefined> {
  const { settings, now } = context;
  const offer = await pendingOffer(context);
  const store = offer?.isVerified ? await settings.store() : undefined;
  const user = offer && (await store?.getUser?.(offer.userId));
  if (!store || !user || user.email !== offer.address) return undefined;
  // Without the option `account`, any user may have a password.
  const { account = { ...DEFAULT_ACCOUNT, hasPassword: () => true } } = settings;
  const providers = await usableProviders({ settings, account, store, user, now });
  return providers.size > 0 ? { providers, email: offer.address } : undefined;
}
