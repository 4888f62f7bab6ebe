import { applyToHead, type HeadWriter, type Visit } from '@latchkey/core/binding';
import { redirect } from '@tanstack/react-router';
import {
  appendResponseHeader,
  getResponseHeaders,
  removeResponseHeader,
  setResponseHeader,
} from '@tanstack/react-start/server';

/** Redirects. The browser loads a document, because the sign-in page is not a page of the router. */
export function redirectTo(href: string): never {
  throw redirect({ href, statusCode: 302, reloadDocument: true });
}

/** Adds the cookies of the visit to the final head. Start keeps them beside those of the application. */
export function applyToAnswer(visit: Visit): void {
  const head: HeadWriter = {
    headers: getResponseHeaders() as Headers,
    remove: removeResponseHeader,
    set: setResponseHeader,
    append: appendResponseHeader,
  };
  applyToHead(head, visit);
}
