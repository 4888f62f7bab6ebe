import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TLSSocket } from 'node:tls';
import {
  type Env,
  type EnvConfigured,
  type NodeRequest,
  nodeRequest,
  pathOfTarget,
  requestOrigin,
  type VisitRequest,
  webRequest,
} from '@latchkey/core/binding';
import type { H3Event } from 'h3';

/** An event of h3 1, with the request and the response of Node, or what imitates them on other runtimes. */
export interface NodeEvent {
  readonly _requestBody?: unknown;
  /** The request of a runtime with web-standard requests. */
  readonly web?: { readonly url?: URL };
  readonly node: { readonly req: NodeEventRequest; readonly res: ServerResponse };
}

type NodeEventRequest = IncomingMessage & { originalUrl?: string; body?: unknown; rawBody?: unknown };

/** Returns the event if it is one of h3 1. Only events of h3 2 have a `url`. */
export function nodeEvent(event: H3Event): NodeEvent | undefined {
  return 'url' in event ? undefined : (event as unknown as NodeEvent);
}

/** Returns the members of the visit's request in which the majors of h3 differ. */
export function describeEvent(event: H3Event, configured: EnvConfigured): VisitRequest {
  const node = nodeEvent(event);
  return {
    ...(node ? nodeRequest(node.node.req) : webRequest(event.req)),
    origin: requestOrigin(configured, event.headers, node ? nodeAddress(node) : new URL(event.req.url)),
    // As on the wire, because that is the path at which the middleware answers. `event.url` is decoded, and lacks the
    // prefix in the middleware of a nested application: `/shop/login` would be the sign-in page `/login`.
    ...(node && { path: wirePath(node) }),
  };
}

function nodeAddress({ node: { req }, web }: NodeEvent): Parameters<typeof requestOrigin>[2] {
  const protocol = (req.socket as TLSSocket | null)?.encrypted ? 'https:' : 'http:';
  return web?.url ?? { protocol, host: req.headers.host };
}

/**
 * Returns path and query as on the wire, because the routers of h3 1 strip prefixes. They decode a path, but resolve no
 * dots in it, so no other path is matched as the sign-in page.
 */
export function wirePath({ node: { req } }: NodeEvent): string {
  return pathOfTarget(req.originalUrl ?? req.url ?? '');
}

/** Where h3 1 keeps a body that was read. */
const RAW_BODY = Symbol.for('h3RawBody');

/** Returns the request of Node with its body, if the application has read it, or the runtime passes it beside. */
export async function unreadRequest({ _requestBody, node: { req } }: NodeEvent): Promise<NodeRequest> {
  const body: unknown = await (_requestBody ?? Reflect.get(req, RAW_BODY) ?? req.rawBody ?? req.body);
  if (body === undefined || body === null) return req;
  const { method, headers } = req;
  const stream = Symbol.asyncIterator in Object(body) ? (body as AsyncIterable<unknown>) : undefined;
  const iterate = () => (stream ?? req)[Symbol.asyncIterator]();
  return { method, headers, body: stream ? undefined : body, [Symbol.asyncIterator]: iterate };
}

/** Returns the variables of Cloudflare Workers, which h3 2 and Nitro 2 have at different places. */
export function cloudflareEnv({ req, context }: H3Event): Env | undefined {
  const runtime = 'runtime' in req ? req.runtime : undefined;
  return (runtime?.cloudflare ?? (context['cloudflare'] as { env?: unknown } | undefined))?.env as Env | undefined;
}

/** Returns whether Nitro stores the response for all visitors, and has removed the cookies from the request. */
export function isStored({ context, headers }: H3Event): boolean {
  return 'cache' in context && !headers.has('cookie');
}
