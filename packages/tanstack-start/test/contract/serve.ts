import type { AddressInfo } from 'node:net';
import { pathToFileURL } from 'node:url';
import { type HttpBindings, serve } from '@hono/node-server';

// Serves the output of `vite build` on a free port, and prints the port.
const [file = ''] = process.argv.slice(2);
const { default: application } = (await import(pathToFileURL(file).href)) as {
  default: { fetch(request: Request): Promise<Response> };
};

const server = serve({
  fetch: (request, env) => {
    const { incoming } = env as HttpBindings;
    // Where `getRequestIP` of Start looks.
    return application.fetch(Object.assign(request, { ip: incoming.socket.remoteAddress }));
  },
  port: 0,
  hostname: '127.0.0.1',
});
server.once('listening', () => console.log((server.address() as AddressInfo).port));
