import type { Context, Reply } from '../context.ts';
import { verifyRequestPage as view } from '../views/verify-request.ts';
import { pageReply } from '../wire/page.ts';
import { pagePath } from './page-path.ts';

/** `GET verify-request`: tells that a mail is on its way, or the way to the application's own page. */
export async function verifyRequestPage({ settings, origin, query }: Context): Promise<Reply> {
  if (settings.pages.verifyRequest) return { redirect: pagePath(settings.pages.verifyRequest, query) };
  return pageReply(view({ theme: settings.theme, origin }));
}
