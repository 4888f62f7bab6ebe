import { Agent, type IncomingMessage, request as send } from 'node:http';
import { ORIGIN } from './people.ts';
import type { Tally } from './tally.ts';

/** Milliseconds after which an answer does not come any more. */
const PATIENCE = 40_000;

/** The connection failed before the response. Whether the request was handled is unknown. */
export class Cut extends Error {
  override readonly name = 'Cut';
}

/** A process behind the switch. */
export interface Target {
  readonly name: string;
  readonly port: number;
}

interface Behind extends Target {
  readonly agent: Agent;
  busy: number;
}

/**
 * The proxy before the two processes. It alternates between them, and uses the other one if a connection is refused.
 */
export class Switch {
  readonly #tally: Tally;
  readonly #behind: Behind[] = [];
  #turn = 0;

  constructor(tally: Tally) {
    this.#tally = tally;
  }

  /** From now on this process gets requests. */
  take(target: Target): void {
    this.#behind.push({ ...target, agent: new Agent({ keepAlive: true, maxSockets: 64 }), busy: 0 });
  }

  /** From now on this process gets no requests. Resolves when it has answered those that it has. */
  async leave(name: string): Promise<void> {
    const index = this.#behind.findIndex((each) => each.name === name);
    const [left] = index < 0 ? [] : this.#behind.splice(index, 1);
    while (left && left.busy > 0) await new Promise((resolve) => setTimeout(resolve, 10));
    left?.agent.destroy();
  }

  /** Who gets requests. */
  get targets(): readonly Target[] {
    return [...this.#behind];
  }

  /**
   * Passes a browser's request on.
   *
   * @throws {Cut} when no answer came.
   */
  async pass(request: Request): Promise<Response> {
    const body = request.method === 'GET' ? undefined : await request.text();
    const first = this.#turn++;
    const behind = this.#behind.map((_, index, all) => all[(first + index) % all.length] as Behind);
    for (const target of behind) {
      const started = performance.now();
      try {
        const response = await ask(target, request, body);
        this.#tally.times.push(performance.now() - started);
        return response;
      } catch (error) {
        // Anything else may have been heard.
        if ((error as NodeJS.ErrnoException).code !== 'ECONNREFUSED')
          throw new Cut(`${target.name}: ${(error as Error).message}`);
      }
    }
    throw new Cut(`no process listens (${behind.map(({ name }) => name).join() || 'none'} behind)`);
  }
}

async function ask(target: Behind, request: Request, body: string | undefined): Promise<Response> {
  target.busy += 1;
  try {
    const message = await answerTo(target, request, body);
    const parts: Buffer[] = [];
    for await (const part of message) parts.push(part);
    return responseOf(message, Buffer.concat(parts));
  } finally {
    target.busy -= 1;
  }
}

function answerTo({ port, agent }: Behind, request: Request, body: string | undefined): Promise<IncomingMessage> {
  const { pathname, search } = new URL(request.url);
  const { host, protocol } = new URL(ORIGIN);
  const headers = {
    ...Object.fromEntries(request.headers),
    'x-forwarded-host': host,
    'x-forwarded-proto': protocol.slice(0, -1),
    ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
  };
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, agent, method: request.method, path: pathname + search, headers };
    const outgoing = send({ ...options, signal: AbortSignal.timeout(PATIENCE) }, resolve);
    outgoing.once('error', reject);
    outgoing.end(body);
  });
}

function responseOf({ statusCode = 0, rawHeaders, complete }: IncomingMessage, body: Buffer): Response {
  if (!complete) throw new Error('the answer was cut');
  const headers = new Headers();
  for (let index = 0; index < rawHeaders.length; index += 2)
    headers.append(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '');
  return new Response(statusCode === 204 || statusCode === 304 ? null : new Uint8Array(body), {
    status: statusCode,
    headers,
  });
}
