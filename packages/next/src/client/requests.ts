import { askFor } from '@latchkey/core/client';
import type { PublicProvider, Session } from '@latchkey/core/types';

/** Addresses and state of the client. Applications of Auth.js v5 read and set these members. */
export interface AuthClientConfig {
  /** Origin of the site, for code on the server. */
  baseUrl: string;
  /** Path of the actions. */
  basePath: string;
  /** Origin at which the server reaches itself. */
  baseUrlServer: string;
  /** Path of the actions at that origin. */
  basePathServer: string;
  /** Time of the last answer about the session, in seconds since 1970; 0 before the first. */
  _lastSync: number;
  /** The browser's session; `undefined` before the first answer, and always on a server. */
  _session: Session | null | undefined;
  /** Requests the session again. */
  _getSession: (...args: unknown[]) => Promise<void>;
}

/** Whether this code runs on a server, where there is no session to remember. */
export const isServer: boolean = typeof window === 'undefined';

/** Addresses and state of the client, shared by the whole page. */
export const __NEXTAUTH: AuthClientConfig = initialConfig();

function initialConfig(): AuthClientConfig {
  const env: Record<string, string | undefined> = isServer ? process.env : {};
  const outside = env['NEXTAUTH_URL'] || env['AUTH_URL'] || env['VERCEL_URL'] || undefined;
  const [baseUrl, basePath] = parseAddress(outside);
  const [baseUrlServer, basePathServer] = parseAddress(env['NEXTAUTH_URL_INTERNAL'] || outside);
  const _getSession = async (): Promise<void> => {};
  return { baseUrl, basePath, baseUrlServer, basePathServer, _lastSync: 0, _session: undefined, _getSession };
}

/** Returns origin and path of `https://example.com/api/auth`, `https://example.com` or `example.com`. */
function parseAddress(address = 'http://localhost:3000'): [origin: string, path: string] {
  const { origin, pathname } = new URL(/^http/.test(address) ? address : `https://${address}`);
  return [origin, pathname.replace(/\/$/, '') || `${routerBasePath()}/api/auth`];
}

/** Returns Next's setting `basePath`, which Next's bundlers put in the place of the variable. */
function routerBasePath(): string {
  try {
    return process.env.__NEXT_ROUTER_BASEPATH ?? '';
  } catch {
    // The code runs in a browser, and its bundler does not know the variable.
    return '';
  }
}

/** Returns the address of the actions, without a trailing slash: a path in the browser, absolute on a server. */
export function actionsAddress(): string {
  return isServer ? __NEXTAUTH.baseUrlServer + __NEXTAUTH.basePathServer : __NEXTAUTH.basePath;
}

/** Milliseconds after which a request for the session is given up, and made again later. */
const TIMEOUT = 30_000;

/** Sends `GET session`, or with `init` `POST session`. */
export async function requestSession(init?: RequestInit): Promise<Session | null> {
  const answer = (await askFor(`${actionsAddress()}/session`, {
    signal: AbortSignal.timeout?.(TIMEOUT) ?? null,
    ...init,
  })) as Session | null;
  return Object.keys(answer ?? {}).length > 0 ? answer : null;
}

/**
 * Returns the CSRF token that each form needs.
 *
 * ```ts
 * const csrfToken = await getCsrfToken();
 * ```
 *
 * @returns '' if the request fails. The server refuses such a form.
 */
export async function getCsrfToken(): Promise<string> {
  const answer = await orNull(askFor(`${actionsAddress()}/csrf`));
  return (answer as { csrfToken: string } | null)?.csrfToken ?? '';
}

/**
 * Returns the configured providers by their ids.
 *
 * ```ts
 * const providers = Object.values((await getProviders()) ?? {});
 * ```
 *
 * @returns `null` if the request fails.
 */
export async function getProviders(): Promise<Record<string, PublicProvider> | null> {
  return (await orNull(askFor(`${actionsAddress()}/providers`))) as Record<string, PublicProvider> | null;
}

/** Returns `null` for a failure, and writes it to the console. */
export async function orNull<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    console.error(error);
    return null;
  }
}
