import type { Reply } from '../context.ts';
import { AuthError } from '../errors.ts';
import type { Entered } from '../guards/admit.ts';
import { type ErrorDetail, errorPage } from '../views/error.ts';
import { pageReply } from '../wire/page.ts';

/** The error page for faults that are the owner's to mend; what they are is on it in development only. */
export async function errorDetailPage(entered: Entered, errors: readonly Error[], reference: string): Promise<Reply> {
  const { settings, origin, basePath, call } = entered;
  const { page, status } = errorPage({
    theme: settings.theme,
    error: AuthError.shown,
    origin,
    signInUrl: `${origin}${basePath}/signin`,
    reference,
    ...(call.development && { details: errors.map(detailOf) }),
  });
  return pageReply({ ...page, status });
}

function detailOf(error: Error): ErrorDetail {
  if (!(error instanceof AuthError)) return { type: error.name, message: error.message };
  const { err } = error.cause ?? {};
  const from = err && !error.message.includes(err.message) ? ` (${err.message})` : '';
  return { type: error.type, message: `${error.message}${from}` };
}
