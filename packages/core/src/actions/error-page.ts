import type { Context, Reply } from '../context.ts';
import { errorPage as view } from '../views/error.ts';
import { pageReply } from '../wire/page.ts';
import { pagePath } from './page-path.ts';

/** `GET error`: what went wrong in the visitor's words, or the way to the application's own page. */
export async function errorPage({ settings, query, origin, basePath }: Context): Promise<Reply> {
  const { error } = query;
  const reference = known(query.reference);
  if (settings.pages.error) return { redirect: pagePath(settings.pages.error, { error, reference }) };
  const signInUrl = settings.pages.signIn ?? `${origin}${basePath}/signin`;
  const { page, status } = view({ theme: settings.theme, error, origin, signInUrl, reference });
  return pageReply({ ...page, status });
}

/** A reference of ours; other words do not belong on a page that tells visitors what to do. */
function known(reference: string | undefined): string | undefined {
  return reference !== undefined && /^[\da-f]{8}$/.test(reference) ? reference : undefined;
}
