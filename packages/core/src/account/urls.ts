import { hasAccountPage } from '../config/account-page.ts';
import { signInAgainUrl } from '../config/paths.ts';
import type { Context } from '../context.ts';

/** Returns the URL of the page on which users manage their account. */
export function accountUrl({ settings, origin, basePath }: Context): string {
  return settings.pages.account ?? `${origin}${basePath}/account`;
}

/** Returns the URL of that page for a link; `undefined` if there is no such page. */
export function accountLink(context: Context): string | undefined {
  return hasAccountPage(context.settings) ? accountUrl(context) : undefined;
}

/** Returns the URL of a part of the account, to which its form is posted. */
export function partUrl({ origin, basePath }: Context, part: string): string {
  return `${origin}${basePath}/account/${part}`;
}

/**
 * Returns the URL at which the visitor signs in again. From there the visitor comes back to the page that the
 * request names in `callbackUrl`, or to the page of the account.
 */
export function urlToSignInAgain(context: Context): string {
  const isNamed = context.body.callbackUrl !== undefined;
  return signInAgainUrl(context, isNamed ? context.callbackUrl : accountUrl(context));
}
