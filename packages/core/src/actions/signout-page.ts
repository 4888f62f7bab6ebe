import type { Context, Reply } from '../context.ts';
import { signOutPage as view } from '../views/sign-out.ts';
import { pageReply } from '../wire/page.ts';

/** `GET signout`: asks before signing out, or the way to the application's own page. */
export async function signOutPage({ settings, csrfToken, callbackUrl, origin, basePath }: Context): Promise<Reply> {
  if (settings.pages.signOut) return { redirect: settings.pages.signOut };
  return pageReply(view({ theme: settings.theme, csrfToken, callbackUrl, signOutUrl: `${origin}${basePath}/signout` }));
}
