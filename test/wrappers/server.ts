import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Handler } from '@latchkey/testing';
import { onTestFinished } from 'vitest';

/** Starts a server on this machine until the end of the test. Returns a function that sends requests to it. */
export async function serve(listener: RequestListener): Promise<Handler> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return async (request) => {
    const { host, pathname, search } = new URL(request.url);
    const headers = { ...Object.fromEntries(request.headers), host };
    const sent = httpRequest({ port, host: '127.0.0.1', method: request.method, path: pathname + search, headers });
    sent.end(Buffer.from(await request.arrayBuffer()));
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    const chunks: Buffer[] = [];
    for await (const chunk of answer) chunks.push(chunk);
    const received = new Headers();
    for (const [name, values = []] of Object.entries(answer.headersDistinct)) {
      for (const value of values) received.append(name, value);
    }
    return new Response(chunks.length > 0 ? Buffer.concat(chunks) : null, {
      status: answer.statusCode ?? 0,
      headers: received,
    });
  };
}
