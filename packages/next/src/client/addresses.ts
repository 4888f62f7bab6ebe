import type { Session } from '@latchkey/core/types';

/** What the client knows; its members are those that applications of the family read and set. */
export interface AuthClientConfig {
  /** Our origin, for code on the server. */
  baseUrl: string;
  /** Path of the actions. */
  basePath: string;
  /** Our origin as our own server reaches it. */
  baseUrlServer: string;
  /** Path of the actions as our own server reaches it. */
  basePathServer: string;
  /** Seconds since 1970 of the last answer about the session; 0 before it. */
  _lastSync: number;
  /** `undefined` before the first answer. Of the browser: on a server it stays so. */
  _session: Session | null | undefined;
  /** Asks for the session anew. */
  _getSession: (...args: unknown[]) => Promise<void>;
}

/** Nobody's browser: there is no session to keep. */
export const isServer: boolean = typeof window === 'undefined';

/** The application's own base path, which Next puts in place of the name. */
function routerBasePath(): string {
  try {
    return process.env.__NEXT_ROUTER_BASEPATH ?? '';
  } catch {
    // A browser, without a bundler that knows the name.
    return '';
  }
}

/** Origin and path of our actions, by an address as `https://example.com/api/auth`, `https://example.com` or `example.com`. */
function placeOf(address = 'http://localhost:3000'): [origin: string, path: string] {
  const { origin, pathname } = new URL(/^http/.test(address) ? address : `https://${address}`);
  return [origin, pathname.replace(/\/$/, '') || `${routerBasePath()}/api/auth`];
}

function configured(): AuthClientConfig {
  const env: Record<string, string | undefined> = isServer ? process.env : {};
  const outside = env['NEXTAUTH_URL'] || env['AUTH_URL'] || env['VERCEL_URL'] || undefined;
  const [baseUrl, basePath] = placeOf(outside);
  const [baseUrlServer, basePathServer] = placeOf(env['NEXTAUTH_URL_INTERNAL'] || outside);
  const _getSession = async (): Promise<void> => {};
  return { baseUrl, basePath, baseUrlServer, basePathServer, _lastSync: 0, _session: undefined, _getSession };
}

/** Addresses and state of the client, shared by the whole page. */
export const __NEXTAUTH: AuthClientConfig = configured();

/** Address of our actions, without a trailing slash: a path in the browser, absolute on a server. */
export function actionsAddress(): string {
  return isServer ? __NEXTAUTH.baseUrlServer + __NEXTAUTH.basePathServer : __NEXTAUTH.basePath;
}
