import { isForCaches, mayBeShared, serializeCookie } from '@latchkey/core/binding';
import type { Cookie } from '@latchkey/core/types';
import type { ExpressHead } from './http.ts';

/**
 * Sets the cookies of a renewed session when the head of the answer is written: only then is known whether a shared cache may keep the
 * answer, and whether somebody has signed the visitor in or out meanwhile.
 */
export function renewWithHead(response: ExpressHead, cookies: readonly Cookie[]): void {
  if (cookies.length === 0) return;
  const writeHead = response.writeHead as (...args: unknown[]) => unknown;
  response.writeHead = (...args: unknown[]) => {
    if (!decidesItself(args)) renew(response, cookies);
    return writeHead.apply(response, args);
  };
}

function renew(response: ExpressHead, cookies: readonly Cookie[]): void {
  const before = [response.getHeader('set-cookie') ?? []].flat().map(String);
  const headers = response.getHeaderNames().map((name): [string, unknown] => [name, response.getHeader(name)]);
  if (mayBeShared(headers) || isSetBy(before, cookies)) return;
  if (response.getHeader('cache-control') === undefined) response.setHeader('cache-control', 'private, no-cache');
  response.setHeader('set-cookie', [...before, ...cookies.map(serializeCookie)]);
}

/** The application has set one of them itself: it has signed the visitor in or out. */
function isSetBy(lines: readonly string[], cookies: readonly Cookie[]): boolean {
  const names = new Set(cookies.map(({ name }) => wholeName(name)));
  return lines.some((line) => names.has(wholeName(line.slice(0, line.indexOf('=')).trim())));
}

/** A session that needs several cookies numbers them. */
function wholeName(name: string): string {
  return name.replace(/\.\d+$/, '');
}

/** Headers that are given with the head replace those that were set. */
function decidesItself(args: readonly unknown[]): boolean {
  const given = args.find((arg) => typeof arg === 'object' && arg !== null);
  return (
    Array.isArray(given) || Object.keys(given ?? {}).some((name) => /^set-cookie$/i.test(name) || isForCaches(name))
  );
}
