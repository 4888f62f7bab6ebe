import { pathToFileURL } from 'node:url';
import { serve } from 'srvx';

// Serves the output of `vite build` on a free port, and prints the address.
const [file = ''] = process.argv.slice(2);
const { default: application } = (await import(pathToFileURL(file).href)) as {
  default: { fetch(request: Request): Promise<Response> };
};

const server = serve({ fetch: (request) => application.fetch(request), port: 0, hostname: '127.0.0.1', silent: true });
await server.ready();
console.log(server.url);
