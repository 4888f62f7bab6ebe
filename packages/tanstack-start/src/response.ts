import { headChanges, type Visit } from '@latchkey/core/binding';
import { redirect } from '@tanstack/react-router';
import {
  appendResponseHeader,
  getResponseHeaders,
  type ResponseHeaderName,
  removeResponseHeader,
  setResponseHeader,
} from '@tanstack/react-start/server';

/** Redirects. The browser loads a document, because the sign-in page is not a page of the router. */
export function redirectTo(href: string): never {
  throw redirect({ href, statusCode: 302, reloadDocument: true });
}

/** Adds the cookies of the visit to the final head. Start keeps them beside those of the application. */
export function applyToHead(visit: Visit): void {
  const { add, cacheControl, remove } = headChanges(getResponseHeaders() as Headers, visit);
  for (const name of remove) removeResponseHeader(name as ResponseHeaderName);
  if (cacheControl !== undefined) setResponseHeader('cache-control', cacheControl);
  for (const line of add) appendResponseHeader('set-cookie', line);
}
