import { hash, randomFillSync } from 'node:crypto';
import { basePath, cookieNames } from '../../visitor.ts';
import { attributes, cookiesOf } from './cookies.ts';

/** The first step of each request: origin, cookies of the browser, and cookies to set. */
export interface Visit {
  readonly origin: string;
  /** The path after the base path, with its query. */
  readonly path: string;
  readonly cookies: Record<string, string>;
  readonly csrfToken: string;
  readonly callbackUrl: string;
  /** `Set-Cookie` lines: a CSRF token and a callback URL, if the request did not contain them. */
  readonly lines: [string, string][];
  /** The browser has the CSRF token. */
  readonly knowsToken: boolean;
}

/** Reads a request. `asked` is the callback URL in its parameters. */
export function visit(request: Request, secrets: readonly string[], asked?: string): Visit | undefined {
  return visitAt(request.url, request.headers.get('cookie'), secrets, asked);
}

/** Does the same for a URL and a `Cookie` header. */
export function visitAt(
  url: string,
  cookie: string | null,
  secrets: readonly string[],
  asked?: string,
): Visit | undefined {
  const start = url.indexOf('/', 8);
  const origin = url.slice(0, start);
  if (!url.startsWith(`${basePath}/`, start)) return undefined;
  const cookies = cookiesOf(cookie);
  const brought = csrfOf(cookies[cookieNames.csrf], secrets);
  const csrfToken = brought ?? freshToken();
  const remembered = cookies[cookieNames.callbackUrl];
  const callbackUrl = returnTo(asked || remembered, origin);
  const lines: [string, string][] = [];
  if (brought === undefined) {
    lines.push(csrfLine(csrfToken, secrets));
  }
  if (callbackUrl !== remembered) {
    lines.push(['set-cookie', `${cookieNames.callbackUrl}=${encodeURIComponent(callbackUrl)}${attributes}`]);
  }
  return {
    origin,
    path: url.slice(start + basePath.length),
    cookies,
    csrfToken,
    callbackUrl,
    lines,
    knowsToken: brought !== undefined,
  };
}

function csrfLine(token: string, secrets: readonly string[]): [string, string] {
  const value = `${token}%7C${hash('sha256', token + secrets[0])}`;
  return ['set-cookie', `${cookieNames.csrf}=${value}${attributes}`];
}

/** Returns the line that renews the CSRF token after a sign-in. Its beginning, which names the browser, stays. */
export function renewedLines({ csrfToken, knowsToken }: Visit, secrets: readonly string[]): [string, string][] {
  return knowsToken ? [csrfLine(csrfToken.slice(0, 22) + random(21, 'hex'), secrets)] : [];
}

function csrfOf(cookie: string | undefined, secrets: readonly string[]): string | undefined {
  const bar = cookie?.indexOf('|') ?? -1;
  if (cookie === undefined || bar < 1) return undefined;
  const token = cookie.slice(0, bar);
  const given = cookie.slice(bar + 1);
  for (const secret of secrets) if (equal(given, hash('sha256', token + secret))) return token;
  return undefined;
}

/** Compares two texts in constant time. */
export function equal(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (let index = 0; index < a.length; index++) difference |= a.charCodeAt(index) ^ b.charCodeAt(index);
  return difference === 0;
}

const pool = Buffer.allocUnsafe(4096);
const place = { used: pool.length };

/** Returns random bytes as text. */
export function random(bytes: number, encoding: 'hex' | 'base64url'): string {
  if (place.used + bytes > pool.length) {
    randomFillSync(pool);
    place.used = 0;
  }
  const start = place.used;
  place.used += bytes;
  const text = pool.toString(encoding, start, place.used);
  // The result is not kept.
  pool.fill(0, start, place.used);
  return text;
}

function freshToken(): string {
  return random(32, 'hex');
}

/** Returns the address if it is on this origin, else the origin. */
function returnTo(address: string | undefined, origin: string): string {
  if (address === undefined || address === origin || address.length > 2048) return origin;
  if (address.startsWith('/') && !/[\\\s]/.test(address) && !address.startsWith('//')) return origin + address;
  return URL.canParse(address) && new URL(address).origin === origin ? new URL(address).href : origin;
}
