import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A connection to a server that can break. */
export interface Line {
  /** The server's address through this connection. */
  readonly url: string;
  /** Returns the number of questions to the server since the last `breaksAt`. */
  readonly exchanges: number;
  /** Tells whether it has broken. */
  readonly isBroken: boolean;
  /**
   * Sets the fault of the `n`th exchange (from 0):
   * - `question`: from then on, each connection breaks before a request reaches the server.
   * - `answer`: the server carries out the request, and the connections break before its answer. New ones work.
   * - `silence`: from then on, requests reach the server, its answers are lost, and connections stay open.
   */
  breaksAt(n: number, lost: Lost): void;
  /** Repairs the connection. Lost data stays lost. */
  mend(): void;
  close(): Promise<void>;
}

/** The data that is lost. */
export type Lost = 'question' | 'answer' | 'silence';

/** Creates a {@link Line} to the server of an address. */
export async function lineTo(address: string): Promise<Line> {
  const target = new URL(address);
  const line = new Way(Number(target.port), target.hostname);
  await line.opens();
  return line.at(target);
}

class Way {
  readonly #target: [port: number, host: string];
  readonly #server = createServer((client) => this.#serve(client));
  readonly #sockets = new Set<Socket>();
  #fault: { at: number; lost: Lost } | undefined;
  #exchanges = 0;
  #isBroken = false;

  constructor(...target: [port: number, host: string]) {
    this.#target = target;
  }

  async opens(): Promise<void> {
    await once(this.#server.listen(0, '127.0.0.1'), 'listening');
  }

  at(target: URL): Line {
    const way = this;
    const url = new URL(target);
    url.host = `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return {
      url: url.href,
      get exchanges() {
        return way.#exchanges;
      },
      get isBroken() {
        return way.#isBroken;
      },
      breaksAt: (at, lost) => {
        this.#fault = { at, lost };
        this.#exchanges = 0;
        this.#isBroken = false;
      },
      mend: () => {
        this.#fault = undefined;
      },
      close: async () => {
        this.#cut();
        await once(this.#server.close(), 'close');
      },
    };
  }

  #cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  #serve(client: Socket): void {
    if (this.#has('question')) {
      client.destroy();
      return;
    }
    const server = connect(...this.#target);
    const pair = [client, server];
    let number: number | undefined;
    for (const socket of pair) {
      this.#sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.#sockets.delete(socket);
        for (const other of pair) other.destroy();
      });
    }
    client.on('data', (bytes) => {
      number ??= this.#exchanges++;
      if (this.#has('question')) this.#breaks();
      else server.write(bytes);
    });
    server.on('data', (bytes) => {
      if (this.#has('answer') && this.#fault?.at === number && !this.#isBroken) this.#breaks();
      else if (this.#has('silence')) this.#isBroken = true;
      else client.write(bytes);
      number = undefined;
    });
  }

  #has(lost: Lost): boolean {
    return this.#fault?.lost === lost && this.#exchanges > this.#fault.at;
  }

  #breaks(): void {
    this.#isBroken = true;
    this.#cut();
  }
}
