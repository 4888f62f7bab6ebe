import { handle } from '../auth.ts';
import { chain } from '../chain.ts';
import { type EnvConfigured, PATH_MISMATCH } from '../config/env.ts';
import { type Settings, settingsFor } from '../config/settings.ts';
import type { CallOptions, Reply } from '../context.ts';
import { type NodeRequest, readNodeRequest } from '../entry/read.ts';
import type { Awaitable } from '../types.ts';
import { toWireReply } from '../wire/reply.ts';

/** What we need of a Node response; `http.ServerResponse` and Express's `Response` fit. */
export interface NodeResponse {
  readonly headersSent: boolean;
  readonly destroyed: boolean;
  getHeader(name: string): number | string | string[] | undefined;
  writeHead(status: number, headers: Record<string, string | string[]>): unknown;
  end(body: string): unknown;
}

/** Where a request has arrived, as the host framework sees it. */
export interface NodePlace {
  /** Our origin as the host knows it; that of the environment wins. '' when the request names none, which is answered with 400. */
  readonly origin: string;
  /** Path and query as on the wire, from the root of the site. */
  readonly path: string;
  /** Where in the site we are mounted. */
  readonly basePath: string;
  /** The visitor's network address, where the host knows it. */
  readonly clientAddress?: string | undefined;
}

/**
 * Answers a Node request; no `Request` and no `Response` is made. There is a promise only where something has to be waited for: whoever
 * calls it does so in an `async` function, and awaits it.
 *
 * @throws what no answer could be made of, a cookie that cannot stand in a header for example; thrown or rejected with.
 */
export function answerNodeRequest(
  request: NodeRequest,
  response: NodeResponse,
  { config, call, statedPath }: EnvConfigured,
  place: NodePlace,
): Awaitable<void> {
  const settings = settingsFor(config);
  // Somebody before us may listen, too: without this the body would flow to them alone until we do.
  if (request.method === 'POST') request.pause?.();
  const incoming = readNodeRequest(request, (call.origin ?? place.origin) + place.path);
  return chain(mismatchTold(settings, statedPath, place), () =>
    chain(handle(incoming, settings, new NodeCall(call, place)), (reply) => writeReply(response, reply)),
  );
}

function mismatchTold({ logger }: Settings, stated: string | undefined, { basePath }: NodePlace): Awaitable<void> {
  if (stated === undefined || isSamePath(stated, basePath)) return;
  return logger.warn(PATH_MISMATCH, `the handler is mounted elsewhere than at ${stated || '/'}`);
}

/**
 * The environment's options, and what the place tells. A getter in a literal would give each request's object a shape of its own, and
 * slow down whoever reads it.
 */
class NodeCall implements CallOptions {
  readonly basePath: string;
  readonly #place: NodePlace;

  constructor(call: CallOptions, place: NodePlace) {
    Object.assign(this, call);
    this.basePath = place.basePath;
    this.#place = place;
  }

  /** To tell it takes a host some time, and hardly anybody asks. */
  get clientAddress(): string | undefined {
    return this.#place.clientAddress;
  }

  /** One that was handed in with the environment's options is not heeded: the place knows. */
  set clientAddress(_: string | undefined) {}
}

/**
 * Whoever looks for us by the configuration, a guard for example, looks elsewhere when they differ. Routers take upper case for
 * lower case.
 */
function isSamePath(stated: string, mounted: string): boolean {
  return stated === mounted || stated.toLowerCase() === mounted.toLowerCase();
}

/** Node's own; whoever has a Node response has it. */
declare const Buffer: { byteLength(text: string): number };

function writeReply(response: NodeResponse, reply: Reply): void {
  const { status, headers, cookies, body = '' } = toWireReply(reply);
  // The visitor has gone, or somebody else has answered, a timeout for example.
  if (response.headersSent || response.destroyed) return;
  const lines: Record<string, string | string[]> = headers;
  lines['content-length'] = String(Buffer.byteLength(body));
  // The rest of such a body is not read; nothing else can follow on this connection.
  if (status === 413) lines['connection'] = 'close';
  if (cookies.length > 0) lines['set-cookie'] = [...cookiesSetBefore(response), ...cookies];
  response.writeHead(status, lines);
  response.end(body);
}

/** `writeHead` replaces headers that were set before; cookies of other middleware must stay. */
function cookiesSetBefore(response: NodeResponse): string[] {
  const before = response.getHeader('set-cookie');
  return before === undefined ? [] : [before].flat().map(String);
}
