import {
  type AuthorizationParams,
  accountOfVisitor,
  cachedVisit,
  currentCookieHeader,
  requestOrigin,
  type SignInOptions,
  type SignOutOptions,
  sessionsOfVisitor,
  tokensOfVisitor,
  Visit,
  type Visitor,
  type VisitRequest,
} from '@latchkey/core/binding';
import type {
  Cookie,
  LinkOptions,
  MailStatus,
  Session,
  Untyped,
  VisitorAccount,
  VisitorSessions,
  VisitorTokens,
} from '@latchkey/core/types';
import type { cookies } from 'next/headers.js';
import { type ConfigSource, type Configured, configuredFor } from './config.ts';
import { nextModule } from './next-module.ts';
import { fromRoot } from './paths.ts';
import { readFrom } from './session.ts';

/**
 * Reads the session of the current request, for `auth()`. Does not extend it: most callers cannot set cookies, and the
 * proxy extends it.
 */
export async function authHere(source: ConfigSource): Promise<Session | null> {
  const request = await currentRequest();
  await untilVisit();
  return readFrom(source, undefined, (configured) => visitFor(request, configured).session());
}

/** Reads the mail that the browser has requested. See `NextAuthResult`. */
export async function pendingMailHere(source: ConfigSource, provider?: string): Promise<MailStatus | null> {
  const request = await currentRequest();
  await untilVisit();
  return readFrom(source, undefined, (configured) => visitFor(request, configured).pendingMail(provider));
}

/** Starts a sign-in from a server action or a route handler. See `NextAuthResult`. */
export async function signInHere(
  source: ConfigSource,
  provider?: string,
  options?: SignInOptions,
  authorizationParams?: AuthorizationParams,
): Promise<Untyped> {
  const { configured, visit } = await callingVisit(source);
  return visit.signIn(provider, withRootedTarget(options, configured), authorizationParams);
}

/** Ends the session from a server action or a route handler. See `NextAuthResult`. */
export async function signOutHere(source: ConfigSource, options?: SignOutOptions): Promise<Untyped> {
  const { configured, visit } = await callingVisit(source);
  return visit.signOut(withRootedTarget(options, configured));
}

/** Updates the session from a server action or a route handler. See `NextAuthResult`. */
export async function updateHere(source: ConfigSource, data: unknown): Promise<Session | null> {
  const { visit } = await callingVisit(source);
  return visit.update(data);
}

/** Lists and ends the sessions of the visitor of the current request. See `NextAuthResult`. */
export function sessionsHere(source: ConfigSource): VisitorSessions {
  return sessionsOfVisitor(() => visitorHere(source));
}

/** Uses the provider tokens of the visitor of the current request. See `NextAuthResult`. */
export function tokensHere(source: ConfigSource): VisitorTokens {
  return tokensOfVisitor(() => visitorHere(source));
}

/** Reads and changes the account of the visitor of the current request. See `NextAuthResult`. */
export function accountHere(source: ConfigSource): VisitorAccount {
  const account = accountOfVisitor(() => visitorHere(source));
  const link = async (provider: string, options: LinkOptions = {}): Promise<string> => {
    const { application } = await configuredFor(source, undefined);
    return account.link(provider, { ...options, redirectTo: rootedTarget(options.redirectTo, application) });
  };
  return { ...account, link: link as VisitorAccount['link'] };
}

/**
 * Returns whether a sign-in, sign-out or update has set cookies. A session that was read before would undo the
 * change.
 */
export async function hasChanged(): Promise<boolean> {
  try {
    return changed.has((await currentRequest()).cookies);
  } catch {
    return false; // Without Next there is no server action.
  }
}

type CookieStore = Awaited<ReturnType<typeof cookies>>;

/** The cookie stores of requests with such a change. */
const changed = new WeakSet<CookieStore>();

interface CurrentRequest {
  readonly headers: Pick<Headers, 'get' | 'entries'>;
  readonly cookies: CookieStore;
}

/** @throws Next's own errors, without a request and while a page is rendered at build time. */
async function currentRequest(): Promise<CurrentRequest> {
  const next = await nextHeaders();
  return { headers: await next.headers(), cookies: await next.cookies() };
}

const nextHeaders = nextModule<typeof import('next/headers.js')>(
  () => import('next/headers'),
  () => import(/* webpackIgnore: true */ /* turbopackIgnore: true */ 'next/headers.js'),
);

/**
 * Waits for a visitor. With `partialPrefetching`, Next renders pages that a browser may show later. Code that reads the
 * clock, as a session does, must wait before. Next has the function since version 16.3.
 */
async function untilVisit(): Promise<void> {
  const next: { io?: () => Promise<void> } = await nextCache();
  await next.io?.();
}

const nextCache = nextModule<typeof import('next/cache.js')>(
  () => import('next/cache'),
  () => import(/* webpackIgnore: true */ /* turbopackIgnore: true */ 'next/cache.js'),
);

/** Returns the `Cookie` header with the changes of the proxy and of the current action. */
function cookieHeader({ headers, cookies }: CurrentRequest): string | undefined {
  return currentCookieHeader(headers.get('cookie') ?? undefined, cookies.getAll()) || undefined;
}

/** The visit of the current request, as calls need it that may leave for another page. */
async function callingVisit(source: ConfigSource): Promise<{ configured: Configured; visit: Visit }> {
  const request = await currentRequest();
  // Next's own `redirect`. Route handlers cannot bundle `next/navigation.js`, and Node needs the `.js`.
  const { redirect } = await import('next/dist/client/components/redirect.js');
  const configured = await configuredFor(source, undefined);
  const visit = visitFor(request, configured);
  return { configured, visit: visit.as({ ...visit.request, redirect: (url) => redirect(url) }) };
}

async function visitorHere(source: ConfigSource): Promise<Visitor> {
  await untilVisit();
  return (await callingVisit(source)).visit.visitor();
}

function visitFor(request: CurrentRequest, configured: Configured): Visit {
  return cachedVisit(request.cookies, configured, () => new Visit(configured, describe(request, configured)));
}

/**
 * Describes the current request. Its method is unknown. Next checks server actions only, and accepts the origins of
 * `allowedOrigins`. Requests that are not posted have no Origin header. They must be accepted, because a link from
 * another site may lead to a route that signs in.
 */
function describe(request: CurrentRequest, configured: Configured): VisitRequest {
  const { headers, cookies } = request;
  return {
    origin: requestOrigin(configured, headers),
    basePath: configured.basePath,
    header: (name) => (name === 'cookie' ? cookieHeader(request) : (headers.get(name) ?? undefined)),
    headers: () => headersOf(request),
    currentCookies: () => cookies.getAll(),
    hasClient: true,
    renew: 'never',
    canSetCookies: () => isWritable(cookies),
    setCookie: setterOf(cookies),
  };
}

function headersOf(request: CurrentRequest): Headers {
  const own = new Headers([...request.headers.entries()].filter(([name]) => name !== 'cookie'));
  const cookie = cookieHeader(request);
  if (cookie !== undefined) own.set('cookie', cookie);
  return own;
}

/**
 * Returns whether cookies can be set now. Next has no function for it, and a cookie set for a test would empty the
 * browser's router cache. Without arguments, `set` sets nothing: it reports that it is not allowed, or fails with a
 * `TypeError` because of the missing name.
 */
function isWritable(cookies: CookieStore): boolean {
  try {
    (cookies.set as () => unknown)();
    return true;
  } catch (error) {
    return error instanceof TypeError;
  }
}

function setterOf(cookies: CookieStore): (cookie: Cookie) => void {
  return ({ name, value, options }) => {
    changed.add(cookies);
    cookies.set({ ...options, name, value } as Exclude<Parameters<typeof cookies.set>[0], string>);
  };
}

/** Adds Next's `basePath` to the path of `redirectTo`, which is written without it, as in Next's links. */
function withRootedTarget(options: SignInOptions | undefined, { application }: Configured): SignInOptions | undefined {
  if (application === '' || !options) return options;
  const target = options instanceof FormData ? options.get('redirectTo') : options.redirectTo;
  if (typeof target !== 'string' || !target.startsWith('/')) return options;
  const entries = options instanceof FormData ? options.entries() : Object.entries(options);
  return { ...Object.fromEntries(entries), redirectTo: rootedTarget(target, application) };
}

function rootedTarget(target: string | undefined, application: string): string | undefined {
  return application !== '' && target?.startsWith('/') ? fromRoot(application, target) : target;
}
