import { readActor } from '../account/actor.ts';
import { isRecent } from '../account/recent.ts';
import { usableProviders } from '../account/ways.ts';
import { pagePath } from '../config/paths.ts';
import type { Context, Reply } from '../context.ts';
import { RecentSignInRequired } from '../errors.ts';
import { isFromSite } from '../guards/origin.ts';
import { signInAgainCookie } from '../session/recent.ts';
import { signInPageWith } from './sign-in-page.ts';

/**
 * `GET account/sign-in`: the sign-in page with the ways of the signed-in user, who has to sign in again. Until then,
 * the sign-in of another user is refused. From another site, visitors who have signed in recently go on.
 */
export async function signInAgainPage(context: Context): Promise<Reply> {
  const { settings, callbackUrl, origin, basePath } = context;
  const actor = await readActor(context);
  const ownPage = settings.pages.signIn;
  // A link of another site must not make the browser forget when the user has signed in.
  if (actor && !isFromSite(context) && (await isRecent(actor))) return { redirect: callbackUrl };
  if (!actor) return { redirect: pagePath(ownPage ?? `${origin}${basePath}/signin`, { callbackUrl }) };
  const cookies = [await signInAgainCookie(context, actor.user.id)];
  const error = RecentSignInRequired.shown;
  if (ownPage) return { redirect: pagePath(ownPage, { callbackUrl, error }), cookies };
  const page = await signInPageWith(context, {
    providers: await usableProviders(actor),
    email: actor.user.email,
    problem: { error },
  });
  return { ...page, cookies };
}
