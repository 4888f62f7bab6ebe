import { languageOf } from '../config/language.ts';
import { pagePath } from '../config/paths.ts';
import type { Context, Reply, RoutedRequest } from '../context.ts';
import { AuthError, type UnknownAction } from '../errors.ts';
import { refusalOf } from '../explain/refusal.ts';
import { showsDetails } from '../guards/details.ts';
import { requestUrl } from '../guards/origin.ts';
import { type ErrorDetail, errorPage as errorView } from '../views/error.ts';
import { pageReply } from '../wire/page.ts';

/** `GET error`: explains an error to the visitor, or redirects to the application's own page. */
export async function errorPage(context: Context): Promise<Reply> {
  const { settings, query, origin, basePath } = context;
  const { error } = query;
  const reference = isReference(query.reference) ? query.reference : undefined;
  if (settings.pages.error) return { redirect: pagePath(settings.pages.error, { error, reference }) };
  const signInUrl = settings.pages.signIn ?? `${origin}${basePath}/signin`;
  const language = await languageOf(context);
  const { page, status } = errorView({ theme: settings.pageTheme, language, error, origin, signInUrl, reference });
  return pageReply({ ...page, status });
}

/** Is it a reference that this library has made? No other text may appear on a page that visitors trust. */
function isReference(reference: string | undefined): boolean {
  return reference !== undefined && /^[\da-f]{8}$/.test(reference);
}

/** The error page for errors that only the site's owner can correct. Their details appear in development only. */
export async function errorDetailPage(
  request: RoutedRequest,
  errors: readonly Error[],
  reference: string,
): Promise<Reply> {
  const { settings, origin, basePath } = request;
  const { page, status } = errorView({
    theme: settings.pageTheme,
    language: await languageOf(request),
    error: AuthError.shown,
    origin,
    signInUrl: `${origin}${basePath}/signin`,
    reference,
    ...(showsDetails(request) && { details: await Promise.all(errors.map(detailOf)) }),
  });
  return pageReply({ ...page, status });
}

/** The page in the place of an action that does not exist, or whose option is not set. */
export async function unknownActionPage(
  { incoming, settings, call }: Pick<RoutedRequest, 'incoming' | 'settings' | 'call'>,
  error: UnknownAction,
): Promise<Reply> {
  const { url, origin } = requestUrl(incoming.url, call.origin);
  const { page } = errorView({
    theme: settings.pageTheme,
    language: await languageOf({ settings, incoming, url }),
    origin,
    signInUrl: origin,
    ...(showsDetails({ call, incoming, url }) && { details: [await detailOf(error)] }),
  });
  return { ...(await pageReply({ ...page, status: 400 })), refused: true };
}

async function detailOf(error: Error): Promise<ErrorDetail> {
  if (!(error instanceof AuthError)) return { type: error.name, message: error.message };
  const { err } = error.cause ?? {};
  const from = err && !error.message.includes(err.message) ? ` (${err.message})` : '';
  const cause = refusalOf(error);
  const remedy = cause && `Cause: \`${cause}\`. ${(await import('../explain/causes.ts')).causes[cause].remedy}`;
  return { type: error.type, message: `${error.message}${from}`, remedy };
}

/** The error page, which leads to a page of the application after it is shown. */
export async function refreshedErrorPage(context: Context, error: string, signInUrl: string): Promise<Reply> {
  const { settings, origin } = context;
  const language = await languageOf(context);
  const reply = await pageReply(errorView({ theme: settings.pageTheme, language, error, origin, signInUrl }).page);
  return { ...reply, headers: { ...reply.headers, refresh: `0; url=${new URL(signInUrl, origin).href}` } };
}
