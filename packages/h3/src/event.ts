import {
  type Env,
  type EnvConfigured,
  type NodeHead,
  type NodeRequest,
  type NodeResponse,
  nodeRequest,
  requestOrigin,
  type VisitRequest,
  webRequest,
} from '@latchkey/core/binding';
import type { H3Event } from 'h3';

/** An event of h3 1, with the request and the response of Node, or what imitates them on other runtimes. */
export interface NodeEvent {
  /** Path and query as the router matches them, without the prefix of a nested application. */
  readonly path: string;
  readonly _requestBody?: unknown;
  readonly node: { readonly req: NodeEventRequest; readonly res: NodeResponse & NodeHead };
}

interface NodeEventRequest extends NodeRequest {
  readonly url?: string;
  readonly originalUrl?: string;
  readonly rawBody?: unknown;
  readonly socket?: { readonly encrypted?: boolean };
}

/** Returns the event if it is one of h3 1. Only events of h3 2 have a `url`. */
export function nodeEvent(event: H3Event): NodeEvent | undefined {
  return 'url' in event ? undefined : (event as unknown as NodeEvent);
}

/** Returns the members of the visit's request in which the majors of h3 differ. */
export function describeEvent(event: H3Event, configured: EnvConfigured): VisitRequest {
  const node = nodeEvent(event);
  const { headers } = event;
  const base = node ? nodeRequest(node.node.req) : webRequest(event.req);
  const address = node
    ? { protocol: protocolOf(node), host: headers.get('host') ?? undefined }
    : new URL(event.req.url);
  return {
    ...base,
    origin: requestOrigin(configured, headers, address),
    // Read when a guard asks, because it lacks the prefix while the middleware of a nested application runs.
    get path() {
      return node ? matchedPath(node) : event.url.pathname + event.url.search;
    },
  };
}

function protocolOf({ node: { req } }: NodeEvent): string {
  return req.socket?.encrypted ? 'https:' : 'http:';
}

/** Returns path and query as the routers match them. Those of `originalUrl` may be spelled in another way. */
function matchedPath({ node: { req }, path }: NodeEvent): string {
  const { url = '', originalUrl = url } = req;
  return (originalUrl.endsWith(url) ? originalUrl.slice(0, originalUrl.length - url.length) : '') + path;
}

/** Returns path and query as on the wire. The request line may have an absolute address (RFC 9112 §3.2.2). */
export function wirePath({ node: { req }, path }: NodeEvent): string {
  return (req.originalUrl ?? req.url ?? path).replace(/^https?:\/\/[^/?]*/i, '');
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
