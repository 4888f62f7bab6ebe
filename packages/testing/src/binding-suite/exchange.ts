import { request as httpRequest, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';

/** A request as it goes over the wire. */
export interface WireRequest {
  /** Address and port of the server. */
  readonly origin: string;
  /** The target of the request line: a path, or an absolute address. */
  readonly target: string;
  readonly method?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The body. A stream is sent without a length. */
  readonly body?: Uint8Array | AsyncIterable<Uint8Array> | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Sends exactly these headers and this target. `fetch` adds headers, and lets no client choose its `Host`. */
export async function exchange({ origin, target, method, headers, body, signal }: WireRequest): Promise<Response> {
  const { hostname, port } = new URL(origin);
  const options = { hostname, port, path: target, method: method ?? 'GET', headers: headers ?? {}, agent: false };
  const message = await new Promise<IncomingMessage>((resolve, reject) => {
    const request = httpRequest(signal ? { ...options, signal } : options, resolve).on('error', reject);
    if (body === undefined || body instanceof Uint8Array) request.end(body);
    else void sendAll(request, body);
  });
  return responseOf(message);
}

async function sendAll(request: ReturnType<typeof httpRequest>, body: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const chunk of body) {
    if (request.destroyed) return;
    await new Promise<void>((resolve) => request.write(chunk, () => resolve()));
  }
  request.end();
}

/** Keeps `Set-Cookie` lines apart. The body is a stream, so that a case can read a part of it. */
function responseOf(message: IncomingMessage): Response {
  const lines = Object.entries(message.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  const status = message.statusCode ?? 0;
  const hasBody = ![101, 204, 205, 304].includes(status);
  if (!hasBody) message.resume();
  const stream = hasBody ? (Readable.toWeb(message) as ReadableStream<Uint8Array>) : null;
  return new Response(stream, { status, headers: lines });
}
