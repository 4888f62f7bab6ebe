import {
  type AuthorizationParams,
  type Host,
  type SignedOut,
  type SignInOptions,
  signIn,
  signOut,
  updateSession,
} from '@latchkey/core/binding';
import type { Cookie, Session } from '@latchkey/core/types';
import { type ConfigSource, type Configured, configuredFor } from './config.ts';
import { fromRoot, originOf } from './place.ts';
import {
  cookieHeader,
  isWritable,
  noteChange,
  type RequestInProgress,
  requestInProgress,
  untilVisit,
} from './request-in-progress.ts';
import { sessionFrom } from './session.ts';

/** `auth()`: the session of the request in progress. It is not extended: most callers can set no cookies, and the proxy does it. */
export async function authHere(source: ConfigSource): Promise<Session | null> {
  const { headers, cookies } = await requestInProgress();
  await untilVisit();
  const cookie = cookieHeader(cookies);
  return sessionFrom(source, undefined, (configured) => ({ origin: originOf(configured, headers), cookie }));
}

/** `signIn()`: see `NextAuthResult`. */
export async function signInHere(
  source: ConfigSource,
  provider?: string,
  options?: SignInOptions,
  authorizationParams?: AuthorizationParams,
): Promise<string> {
  const { configured, host } = await visitHere(source);
  return signIn(configured, host, provider, placedOptions(options, configured), authorizationParams);
}

/** `signOut()`: see `NextAuthResult`. */
export async function signOutHere(source: ConfigSource, options?: SignInOptions): Promise<SignedOut> {
  const { configured, host } = await visitHere(source);
  return signOut(configured, host, placedOptions(options, configured));
}

/** `update()`: see `NextAuthResult`. */
export async function updateHere(source: ConfigSource, data: unknown): Promise<Session | null> {
  const { configured, host } = await visitHere(source);
  return updateSession(configured, host, data);
}

async function visitHere(source: ConfigSource): Promise<{ configured: Configured; host: Host }> {
  const request = await requestInProgress();
  // Next's own `redirect`; `next/navigation.js` cannot be bundled into route handlers, and without `.js` Node does not find it.
  const { redirect } = await import('next/dist/client/components/redirect.js');
  const configured = await configuredFor(source, undefined);
  const host: Host = {
    origin: originOf(configured, request.headers),
    basePath: configured.basePath,
    headers: headersOf(request),
    hasClient: true,
    // Next lets the origins of `allowedOrigins` pass, and looks at server actions alone. Only what is posted says where it comes from;
    // a link of another site may lead to a route that signs in.
    sameOriginOnly: request.headers.get('origin') !== null,
    setCookie: isWritable(request.cookies) ? setterOf(request) : undefined,
    redirect: (url) => redirect(url),
  };
  return { configured, host };
}

function headersOf({ headers, cookies }: RequestInProgress): Headers {
  const own = new Headers([...headers.entries()].filter(([name]) => name !== 'cookie'));
  const cookie = cookieHeader(cookies);
  if (cookie !== undefined) own.set('cookie', cookie);
  return own;
}

function setterOf({ cookies }: RequestInProgress): (cookie: Cookie) => void {
  return ({ name, value, options }) => {
    noteChange(cookies);
    cookies.set({ ...options, name, value } as Exclude<Parameters<typeof cookies.set>[0], string>);
  };
}

/** Paths are meant as Next's links and redirects mean them: without its `basePath`. */
function placedOptions(options: SignInOptions | undefined, { application }: Configured): SignInOptions | undefined {
  if (application === '' || !options) return options;
  const asked = options instanceof FormData ? options.get('redirectTo') : options.redirectTo;
  if (typeof asked !== 'string' || !asked.startsWith('/')) return options;
  const entries = options instanceof FormData ? options.entries() : Object.entries(options);
  return { ...Object.fromEntries(entries), redirectTo: fromRoot(application, asked) };
}
