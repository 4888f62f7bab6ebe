import { createServer, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { FakeProvider, type FaultyEndpoint } from '@latchkey/testing';

/** Answers of a server that is not an OpenID provider. */
export type Garbage = (response: ServerResponse, right: string) => void;

const json = { 'content-type': 'application/json' };

/** Unusable answers over a real connection. */
export const garbage: Readonly<Record<string, Garbage>> = {
  'a page': (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome to nginx!</h1>'),
  'a page that calls itself JSON': (response) => response.writeHead(200, json).end('<h1>Welcome to nginx!</h1>'),
  'broken JSON': (response, right) => response.writeHead(200, json).end(right.slice(0, -1)),
  'JSON that is no object': (response) => response.writeHead(200, json).end('[1, "two"]'),
  'an empty object': (response) => response.writeHead(200, json).end('{}'),
  nothing: (response) => response.writeHead(200, json).end(),
  'no content': (response) => response.writeHead(204).end(),
  'an error page': (response) => response.writeHead(500, { 'content-type': 'text/html' }).end('<h1>Oops</h1>'),
  'the right answer with a wrong status': (response, right) => response.writeHead(503, json).end(right),
  'a redirect': (response) => response.writeHead(302, { location: 'http://localhost:1/elsewhere' }).end(),
  'bytes that are no text': (response) => response.writeHead(200, json).end(Buffer.from([0xff, 0xfe, 0x00, 0xc3])),
  'half of an answer': (response, right) => {
    response.writeHead(200, { ...json, 'content-length': String(right.length) });
    response.write(right.slice(0, right.length / 2), () => response.destroy());
  },
  'a closed connection': (response) => response.destroy(),
  'no HTTP': (response) => (response.socket as Socket).end('220 mail.example ESMTP\r\n'),
  'gzip that is none': (response) => response.writeHead(200, { ...json, 'content-encoding': 'gzip' }).end('not gzip'),
  'half of a gzip': (response, right) => {
    const bytes = gzipSync(right);
    response.writeHead(200, { ...json, 'content-encoding': 'gzip' }).end(bytes.subarray(0, bytes.length / 2));
  },
  'a gzip that unpacks to far more': (response) =>
    response.writeHead(200, { ...json, 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(8 * 1024 * 1024, ' '))),
  'spaces without end': (response) => {
    response.writeHead(200, json);
    const more = (): void => {
      while (!response.destroyed && response.write(' '.repeat(64 * 1024)));
    };
    response.on('drain', more);
    more();
  },
};

/** A server that answers correctly, except at the endpoints that a test breaks. */
export interface Impostor {
  readonly issuer: string;
  readonly provider: FakeProvider;
  /** The fault of each endpoint. */
  readonly spoilt: Map<FaultyEndpoint, Garbage>;
  close(): Promise<void>;
}

/** A fake provider behind a real port. */
export async function startImpostor(): Promise<Impostor> {
  const server = createServer();
  const port = await new Promise<number>((resolve) => {
    server.listen(0, 'localhost', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : 0);
    });
  });
  const issuer = `http://localhost:${port}`;
  // Each test has one of its own, and a key pair of RS256 takes a hundred times as long to make.
  const provider = new FakeProvider({ issuer, signingAlgorithm: 'ES256' });
  const spoilt = new Map<FaultyEndpoint, Garbage>();
  server.on('request', async (incoming, response) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString('utf8');
    const url = `${issuer}${incoming.url}`;
    const answer = await provider.fetch(url, {
      method: incoming.method ?? 'GET',
      headers: Object.entries(incoming.headers).map(([name, value]): [string, string] => [name, String(value)]),
      redirect: 'manual',
      ...(body && { body }),
    });
    const right = await answer.text();
    const endpoint = [...spoilt.keys()].find((name) => url.split('?')[0] === provider.endpoints[name]);
    const spoil = endpoint && spoilt.get(endpoint);
    if (spoil) spoil(response, right);
    else response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(right);
  });
  return {
    issuer,
    provider,
    spoilt,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
