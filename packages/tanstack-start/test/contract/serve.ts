import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { serve } from 'srvx';
import { staticMiddleware } from 'srvx/static';

// Serves the output of `vite build` on a free port, and prints the address.
const [file = ''] = process.argv.slice(2);
const { default: application } = (await import(pathToFileURL(file).href)) as {
  default: { fetch(request: Request): Promise<Response> };
};

const server = serve({
  middleware: [staticMiddleware({ dir: join(file, '../../client') })],
  fetch: (request) => application.fetch(request),
  port: 0,
  hostname: '127.0.0.1',
  silent: true,
});
await server.ready();
console.log(server.url);
