import type { Settings } from '../config/settings.ts';
import type { Reply } from '../context.ts';
import { type AuthError, ErrorPageLoop } from '../errors.ts';
import type { Entered } from '../guards/admit.ts';
import { errorPage } from '../views/error.ts';
import { pageReply } from '../wire/page.ts';
import { pagePath } from './page-path.ts';

const PAGES: ReadonlySet<string> = new Set(['signin', 'signout', 'error', 'verify-request']);

/** What is wrong with a configuration, and under which reference the log tells it. */
export interface Misconfiguration {
  readonly problems: readonly AuthError[];
  readonly reference: string;
}

const reported = new WeakMap<Settings, Misconfiguration>();

/**
 * All problems of the configuration, logged when they are found. Reading a session does not need the providers, so it does
 * not look at them.
 */
export function misconfigurationOf({ settings, action, incoming }: Entered): Misconfiguration | undefined {
  const known = reported.get(settings);
  if (known) return known;
  const needsProviders = action !== 'session' || incoming.method !== 'GET' || settings.problems.length > 0;
  const problems = [...settings.problems, ...(needsProviders ? settings.providerProblems() : [])];
  if (problems.length === 0) return undefined;
  const found: Misconfiguration = { problems, reference: crypto.randomUUID().slice(0, 8) };
  reported.set(settings, found);
  for (const problem of problems) {
    problem.cause = { ...problem.cause, reference: found.reference };
    settings.logger.error(problem);
  }
  return found;
}

/** The answer while the configuration is wrong. Visitors get a reference; in development the page tells what to mend. */
export async function configurationReply(entered: Entered, { problems, reference }: Misconfiguration): Promise<Reply> {
  const { settings, action, incoming, url, origin, basePath, call } = entered;
  if (incoming.method !== 'GET' || !PAGES.has(action)) return { ...apiReply(reference), refused: true };
  const own = settings.pages.error;
  if (own && !call.development) {
    if (!leadsTo(own, url.searchParams.get('callbackUrl'), origin))
      return { redirect: absolute(origin, pagePath(own, { error: 'Configuration' })), refused: true };
    settings.logger.error(
      new ErrorPageLoop('`pages.error` leads to a page that needs a sign-in itself. Leave it open to everybody'),
    );
  }
  const { page, status } = errorPage({
    theme: settings.theme,
    error: 'Configuration',
    origin,
    signInUrl: `${origin}${basePath}/signin`,
    reference,
    ...(call.development && { details: problems.map(({ type, message }) => ({ type, message })) }),
  });
  return { ...(await pageReply({ ...page, status })), refused: true };
}

/** Is the return address, a path or with our origin, the page itself? */
function leadsTo(page: string, callbackUrl: string | null, origin: string): boolean {
  return callbackUrl?.startsWith(page) === true || callbackUrl?.startsWith(origin + page) === true;
}

function absolute(origin: string, path: string): string {
  return path.startsWith('/') ? origin + path : path;
}

function apiReply(reference: string): Reply {
  return {
    status: 500,
    headers: { 'content-type': 'application/json', 'cache-control': 'private, no-store' },
    body: {
      message: `The server's sign-in configuration has a problem. Its log tells more under the reference ${reference}.`,
      reference,
    },
  };
}
