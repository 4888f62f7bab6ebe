import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { FakeProvider } from '../fake-provider.ts';

/** A point at which the application waits for the suite. */
export interface Gate {
  /** The value of the parameter `wait`. */
  readonly address: string;
  /** Resolves when the application has come to this point. Rejects if it does not come. */
  reached(): Promise<void>;
  /** Lets the application continue. */
  open(): void;
}

/** Milliseconds after which a gate opens by itself, so that a failed case leaves no request behind. */
const LONGEST_WAIT = 6000;

/** A server of the suite: the gates at which the application waits, and the provider of its sign-ins. */
export class HelperServer {
  readonly provider: FakeProvider;
  readonly #server: Server;
  readonly #origin: string;
  readonly #gates: Map<string, (response: ServerResponse) => void> = new Map();

  private constructor(server: Server) {
    this.#server = server;
    this.#origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    this.provider = new FakeProvider({ issuer: `${this.#origin}/provider`, signingAlgorithm: 'ES256' });
    server.on('request', (request, response) => void this.#answer(request, response));
  }

  static async start(): Promise<HelperServer> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new HelperServer(server);
  }

  gate(): Gate {
    const path = `/gate/${this.#gates.size}`;
    let arrive: () => void = () => undefined;
    let open: () => void = () => undefined;
    const reached = new Promise<void>((resolve) => (arrive = resolve));
    const opened = new Promise<void>((resolve) => (open = resolve));
    this.#gates.set(path, (response) => {
      arrive();
      void Promise.race([opened, setTimeout(LONGEST_WAIT, undefined, { ref: false })]).then(() => response.end());
    });
    return { address: this.#origin + path, reached: () => beforeDeadline(reached), open };
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const gate = this.#gates.get(request.url ?? '');
    if (gate) return gate(response);
    const answer = await this.provider.fetch(`${this.#origin}${request.url}`, {
      method: request.method ?? 'GET',
      headers: new Headers(Object.entries(request.headers).map(([name, value]) => [name, String(value)])),
      redirect: 'manual',
      ...(request.method === 'POST' && { body: Buffer.concat(await request.toArray()) }),
    });
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.end(await answer.text());
  }
}

/** Rejects if the application does not come to a point in time. */
async function beforeDeadline(reached: Promise<void>): Promise<void> {
  const timer = new AbortController();
  const late = setTimeout(LONGEST_WAIT, undefined, { signal: timer.signal }).then(() => {
    throw new Error('the application does not wait at the address of the parameter `wait`');
  });
  late.catch(() => undefined);
  await Promise.race([reached, late]).finally(() => timer.abort());
}
