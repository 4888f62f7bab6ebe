import type { ServerResponse } from 'node:http';
import {
  answerNodeRequest,
  applyBeforeHead,
  applyToHead,
  headWriter,
  isRoute,
  statusOf,
  type Visit,
  withoutQuery,
} from '@latchkey/core/binding';
import { createError, type H3Event, type HTTPError } from 'h3';
import { type NodeEvent, nodeEvent, unreadRequest, wirePath } from './event.ts';

/** Answers an action on h3 1. Returns `false` for all other requests. */
export async function answerNodeEvent(event: NodeEvent, visit: Visit): Promise<boolean> {
  const { configured, basePath, origin } = visit;
  const path = wirePath(event);
  if (!isRoute(withoutQuery(path), basePath, configured.config)) return false;
  const { clientAddress, hasClient } = visit.request;
  const url = { origin, path, basePath, clientAddress, hasClient };
  await answerNodeRequest(await unreadRequest(event), event.node.res, configured, url);
  return true;
}

/**
 * Adds the cookies of the visit to the head of a response of h3 1. On runtimes without Node, the response has no socket
 * and writes no head, unless it is asked to.
 */
export function applyToNodeEvent({ node: { res } }: NodeEvent, visit: Visit): void {
  applyBeforeHead(res, visit);
  if (res.socket) return;
  const end = res.end.bind(res) as (...args: unknown[]) => ServerResponse;
  res.end = (...args: unknown[]) => res.writeHead(res.statusCode) && end(...args);
}

/** Returns the answer of an action on h3 2. Headers that other middleware has set would replace those of the answer. */
export function respond(event: H3Event, answer: Response): Response {
  for (const [name] of answer.headers) if (name !== 'set-cookie') event.res.headers.delete(name);
  return answer;
}

/**
 * Adds the cookies of the visit to the head of the response that h3 2 makes of a value or of an error. The framework
 * puts the headers of `event.res` over those of a value. It puts the `errHeaders` over those of an error, unless the
 * application has an error handler. So both are complete.
 *
 * @returns The value.
 */
export function applyToEvent<T>({ res }: H3Event, value: T, visit: Visit): T {
  const { headers } = (value ?? {}) as { headers?: unknown };
  const own = headers instanceof Headers ? [...headers] : [];
  for (const over of [res.headers, res.errHeaders]) {
    // Without a header of its own, `over` would leave that of the value.
    const remove = (name: string): void => over.set(name, 'no-store');
    applyToHead({ ...headWriter(over), headers: [...own, ...over], remove }, visit);
  }
  return value;
}

/** Returns the error by which h3 redirects. h3 1 ignores the headers of errors, but keeps those of the response. */
export function redirectError(event: H3Event, location: string): HTTPError {
  nodeEvent(event)?.node.res.setHeader('location', location);
  return createError({ statusCode: 302, statusMessage: 'Found', headers: { location } });
}

/**
 * Returns the error that h3 answers without a line in the log, if the client has made a mistake. The message of an
 * invalid host is for the operator of the site.
 */
export function asHttpError(cause: unknown): unknown {
  const statusCode = statusOf(cause);
  if (statusCode === undefined || statusCode >= 500) return cause;
  const statusMessage = statusCode === 401 ? 'Unauthorized' : 'Bad Request';
  const message = statusCode === 401 ? (cause as Error).message : statusMessage;
  return Object.assign(createError({ statusCode, statusMessage, message }), { cause });
}
