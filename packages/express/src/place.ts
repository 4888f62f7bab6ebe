import { originFrom } from '@latchkey/core/binding';
import type { ExpressRequest, ExpressVisit } from './http.ts';

/** Our origin, as far as the `trust proxy` setting lets a proxy tell it; '' when the request names none. */
export function originOf(request: ExpressVisit): string {
  const { host, 'x-forwarded-host': forwarded } = request.headers;
  // Express 4 has no getter that keeps the port of X-Forwarded-Host.
  const trusted = forwarded !== undefined && trustsProxy(request) ? String(forwarded).split(',')[0]?.trim() : undefined;
  return originFrom(request.protocol, trusted || String(host ?? ''));
}

/** The function behind `trust proxy`, which Express asks for `protocol` and `hostname`. */
function trustsProxy({ app, socket }: ExpressVisit): boolean {
  const trust = app.get('trust proxy fn');
  return typeof trust === 'function' && trust(socket.remoteAddress, 0) === true;
}

/** Path and query, also of a request line with an absolute address (RFC 9112 §3.2.2). */
export function pathOf({ originalUrl }: Pick<ExpressRequest, 'originalUrl'>): string {
  return originalUrl.startsWith('/') ? originalUrl : originalUrl.replace(/^[a-z]+:\/\/[^/?#]*/i, '');
}

/** The path alone. */
export function withoutQuery(path: string): string {
  const end = path.indexOf('?');
  return end === -1 ? path : path.slice(0, end);
}

/**
 * Where the handler is mounted. `app.use('/auth', …)` says it itself; with a wildcard (`/auth/*`, `/auth/{*rest}`, in `use()` or in
 * a route) it is what stands before the wildcard's part.
 *
 * @returns '' for the whole site.
 */
export function mountOf(request: ExpressRequest): string {
  const wildcard = wildcardOf(request.params);
  if (wildcard.length === 0) return request.baseUrl;
  return withoutQuery(pathOf(request)).replace(/\/+$/, '').split('/').slice(0, -wildcard.length).join('/');
}

/** The segments that the last wildcard stands for: Express 4 numbers wildcards, Express 5 gives lists. */
function wildcardOf(params: unknown): string[] {
  const entries = Object.entries(params ?? {});
  if (entries.length === 0) return [];
  const values = entries.filter(([name, value]) => Array.isArray(value) || /^\d+$/.test(name));
  const last: unknown = values.at(-1)?.[1];
  const segments = typeof last === 'string' ? last.split('/') : Array.isArray(last) ? last.map(String) : [];
  const end = segments.findLastIndex((segment) => segment !== '');
  return segments.slice(0, end + 1);
}
