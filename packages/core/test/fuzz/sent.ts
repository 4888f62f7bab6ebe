import { Auth } from '../../src/auth.ts';
import { answerNodeRequest } from '../../src/binding/node.ts';
import type { CallOptions } from '../../src/context.ts';
import type { AuthConfig } from '../../src/types/config.ts';

/** A header as it goes over the wire. */
export type Header = readonly [name: string, value: string];

/** A request as it goes over the wire; no browser has to be able to send it. */
export interface Sent {
  readonly method: string;
  readonly origin: string;
  /** Path and query. */
  readonly target: string;
  /** In their order, names in lower case; one may be there several times. */
  readonly headers: readonly Header[];
  /** One character for each byte. */
  readonly body: string;
  /** How the body ends: normally, with a lost connection, or beyond the size limit. */
  readonly end: 'whole' | 'broken' | 'too long';
  /** The body as the body parser of a Node host has parsed it. */
  readonly parsed?: unknown;
}

/** The URL of a request, and the base path of the application. */
export interface Mount {
  readonly config: AuthConfig;
  readonly basePath: string;
  readonly call: CallOptions;
}

/** An entry of the library. Errors are passed on. */
export type Door = (sent: Sent, mount: Mount) => Promise<Response>;

/** Both ways in: web-standard, and as Node hosts go. */
export const doors: readonly Door[] = [
  (sent, { config, call }) => Auth(requestOf(sent), config, call),
  async (sent, { config, call, basePath }) => {
    const answer: NodeAnswer = { status: 0, headers: {}, body: '' };
    const { origin, target: path } = sent;
    const place = { origin: call.origin ?? origin, path, basePath };
    await answerNodeRequest(nodeRequestOf(sent), responseInto(answer), { config, call }, place);
    return toResponse(answer);
  },
];

/** The bytes of a {@link Sent} body. */
export function bytesOf(body: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(body, 'latin1'));
}

/** The value of a header; repeated ones joined. */
export function headerOf({ headers }: Sent, name: string): string | undefined {
  const values = headers.filter(([one]) => one === name).map(([, value]) => value);
  return values.length === 0 ? undefined : values.join(name === 'cookie' ? '; ' : ', ');
}

/** The request with other headers of one name; none takes them away. */
export function withHeader(sent: Sent, name: string, ...values: readonly string[]): Sent {
  const others = sent.headers.filter(([one]) => one !== name);
  return { ...sent, headers: [...others, ...values.map((value): Header => [name, value])] };
}

/** Characters that HTTP servers reject. */
const NO_HEADER = /[^\t\x20-\x7e\x80-\xff]/g;

function requestOf(sent: Sent): Request {
  const { method, origin, target, headers } = sent;
  const list = headers.map(([name, value]): [string, string] => [name, value.replace(NO_HEADER, '').trim()]);
  const takesBody = !/^(get|head)$/i.test(method);
  const init = { method, headers: list, ...(takesBody && { body: streamOf(sent), duplex: 'half' }) };
  return new Request(origin + target, init as RequestInit);
}

function nodeRequestOf(sent: Sent): Parameters<typeof answerNodeRequest>[0] {
  const headers: Record<string, string> = {};
  for (const [name] of sent.headers) headers[name] = (headerOf(sent, name) ?? '').replace(NO_HEADER, '');
  return { method: sent.method, headers, body: sent.parsed, [Symbol.asyncIterator]: () => piecesOf(sent) };
}

const PIECE = 65_536;
/** More than 16 times what is read of a body. */
const TOO_MANY = 70;

async function* piecesOf({ body, end }: Sent): AsyncGenerator<Uint8Array> {
  const bytes = bytesOf(body);
  for (let from = 0; from < bytes.length; from += PIECE) yield bytes.subarray(from, from + PIECE);
  if (end === 'broken') throw new Error('the connection was lost');
  if (end === 'too long') for (let count = 0; count < TOO_MANY; count++) yield new Uint8Array(PIECE);
}

function streamOf(sent: Sent): ReadableStream<Uint8Array> {
  const source = piecesOf(sent);
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await source.next();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        controller.error(error);
      }
    },
  });
}

interface NodeAnswer {
  status: number;
  headers: Record<string, string | string[]>;
  body: string;
}

function responseInto(answer: NodeAnswer): Parameters<typeof answerNodeRequest>[1] {
  return {
    headersSent: false,
    destroyed: false,
    getHeader: () => undefined,
    writeHead: (status, headers) => Object.assign(answer, { status, headers }),
    end: (body) => Object.assign(answer, { body }),
  };
}

function toResponse({ status, headers, body }: NodeAnswer): Response {
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, one]),
  );
  return new Response(body, { status, headers: lines });
}
