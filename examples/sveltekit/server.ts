import { createServer } from 'node:http';
import { pathToFileURL } from 'node:url';

// Serves what `vite build` has made. Kit's own server takes every visitor to come by https, and so refuses forms that come by http.
const [folder = '', port = ''] = process.argv.slice(2);

// Read by the module that is loaded below. A reverse proxy says by these headers what visitors have typed; without one, nobody does.
process.env['PROTOCOL_HEADER'] = 'x-forwarded-proto';
process.env['HOST_HEADER'] = 'x-forwarded-host';
const { handler } = await import(pathToFileURL(`${folder}/handler.js`).href);

createServer((request, response) => {
  request.headers['x-forwarded-proto'] ??= 'http';
  handler(request, response, () => response.writeHead(404).end('Not found'));
}).listen(Number(port), 'localhost');
