import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Browser } from '@latchkey/testing';
import { onTestFinished } from 'vitest';

/** Answers the requests of all browsers of a site. */
export type Answer = (request: Request) => Promise<Response>;

/** A site whose application can be replaced while its visitors keep their browsers. */
export interface Site {
  readonly origin: string;
  /** Answers all later requests with this function. */
  use(answer: Answer): void;
  /** Answers all later requests with this listener, by a real server. */
  serve(listener: RequestListener): void;
  visitor(): Browser;
}

/** Starts the server of a site, which runs until the test is over. */
export async function startSite(): Promise<Site> {
  let listener: RequestListener = (_, res) => void res.end();
  // A browser keeps its connections for longer than a busy machine needs for its next request.
  const server = createServer({ keepAliveTimeout: 300_000 }, (req, res) => listener(req, res)).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let answer: Answer = (request) => fetch(request);
  return {
    origin,
    use: (next) => {
      answer = next;
    },
    serve: (next) => {
      listener = next;
      answer = (request) => fetch(request);
    },
    visitor: () => new Browser((request) => answer(request), { origin }),
  };
}
