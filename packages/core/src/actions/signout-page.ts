import { languageOf } from '../config/language.ts';
import type { Context, Reply } from '../context.ts';
import { errorOf } from '../errors.ts';
import { currentUser } from '../session/session.ts';
import { signOutPage as signOutView } from '../views/sign-out.ts';
import { pageReply } from '../wire/page.ts';
import { scriptUrl } from './asset.ts';

/** `GET signout`: asks for confirmation, or redirects to the application's own page. */
export async function signOutPage(context: Context): Promise<Reply> {
  const { settings, csrfToken, callbackUrl, origin, basePath } = context;
  if (settings.pages.signOut) return { redirect: settings.pages.signOut };
  const base = origin + basePath;
  const page = signOutView({
    ...{ theme: settings.pageTheme, csrfToken, callbackUrl },
    language: await languageOf(context),
    user: await nameOfVisitor(context),
    signOutUrl: `${base}/signout`,
    sessionsUrl: settings.records && `${base}/sessions`,
    scripts: [await scriptUrl(base, 'page.js')],
  });
  return pageReply(page);
}

/** The address or name of the user who is signed in. If the store is unavailable the page is shown without it. */
async function nameOfVisitor(context: Context): Promise<string | undefined> {
  try {
    const user = await currentUser(context);
    return user?.email || user?.name || undefined;
  } catch (error) {
    context.settings.logger.error(errorOf(error));
    return undefined;
  }
}
