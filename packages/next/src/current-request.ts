import {
  type AuthorizationParams,
  accountOfVisitor,
  currentCookieHeader,
  type Host,
  type SignInOptions,
  type SignOutOptions,
  sessionsOfVisitor,
  signIn,
  signOut,
  tokensOfVisitor,
  updateSession,
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
import { fromRoot, originOf } from './paths.ts';
import { mailFrom, sessionFrom } from './session.ts';

/**
 * Reads the session of the current request, for `auth()`. Does not extend it: most callers cannot set cookies, and the
 * proxy extends it.
 */
export async function authHere(source: ConfigSource): Promise<Session | null> {
  const request = await currentRequest();
  await untilVisit();
  const cookie = cookieHeader(request);
  const userAgent = request.headers.get('user-agent');
  return sessionFrom(source, undefined, (configured) => ({
    origin: originOf(configured, request.headers),
    cookie,
    userAgent,
  }));
}

/** Reads the mail that the browser has requested. See `NextAuthResult`. */
export async function pendingMailHere(source: ConfigSource, provider?: string): Promise<MailStatus | null> {
  const request = await currentRequest();
  await untilVisit();
  const cookie = cookieHeader(request);
  return mailFrom(source, undefined, provider, (configured) => ({
    origin: originOf(configured, request.headers),
    cookie,
  }));
}

/** Starts a sign-in from a server action or a route handler. See `NextAuthResult`. */
export async function signInHere(
  source: ConfigSource,
  provider?: string,
  options?: SignInOptions,
  authorizationParams?: AuthorizationParams,
): Promise<Untyped> {
  const { configured, host } = await hostHere(source);
  return signIn(configured, host, provider, withRootedTarget(options, configured), authorizationParams);
}

/** Ends the session from a server action or a route handler. See `NextAuthResult`. */
export async function signOutHere(source: ConfigSource, options?: SignOutOptions): Promise<Untyped> {
  const { configured, host } = await hostHere(source);
  return signOut(configured, host, withRootedTarget(options, configured));
}

/** Updates the session from a server action or a route handler. See `NextAuthResult`. */
export async function updateHere(source: ConfigSource, data: unknown): Promise<Session | null> {
  const { configured, host } = await hostHere(source);
  return updateSession(configured, host, data);
}

/** Lists and ends the sessions of the visitor of the current request. See `NextAuthResult`. */
export function sessionsHere(source: ConfigSource): VisitorSessions {
  return sessionsOfVisitor(async () => {
    await untilVisit();
    return hostHere(source);
  });
}

/** Uses the provider tokens of the visitor of the current request. See `NextAuthResult`. */
export function tokensHere(source: ConfigSource): VisitorTokens {
  return tokensOfVisitor(async () => {
    await untilVisit();
    return hostHere(source);
  });
}

/** Reads and changes the account of the visitor of the current request. See `NextAuthResult`. */
export function accountHere(source: ConfigSource): VisitorAccount {
  const account = accountOfVisitor(async () => {
    await untilVisit();
    return hostHere(source);
  });
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

async function hostHere(source: ConfigSource): Promise<{ configured: Configured; host: Host }> {
  const request = await currentRequest();
  // Next's own `redirect`. Route handlers cannot bundle `next/navigation.js`, and Node needs the `.js`.
  const { redirect } = await import('next/dist/client/components/redirect.js');
  const configured = await configuredFor(source, undefined);
  const host: Host = {
    origin: originOf(configured, request.headers),
    basePath: configured.basePath,
    headers: headersOf(request),
    hasClient: true,
    // Next checks server actions only, and accepts the origins of `allowedOrigins`. Requests that are not posted have
    // no Origin header. They must be accepted, because a link from another site may lead to a route that signs in.
    forms: request.headers.get('origin') === null ? 'host-checked' : 'same-origin',
    setCookie: isWritable(request.cookies) ? setterOf(request.cookies) : undefined,
    redirect: (url) => redirect(url),
  };
  return { configured, host };
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
