import { createServer } from 'node:http';
import { pathToFileURL } from 'node:url';

// Serves the output of `vite build`. Kit's own server assumes https for every request, so it refuses forms that are
// sent by http.
const [folder = '', port = ''] = process.argv.slice(2);

// The module below reads these names of headers. A reverse proxy states the visitor's protocol and host in them.
// Without a proxy, the protocol is http.
process.env['PROTOCOL_HEADER'] = 'x-forwarded-proto';
process.env['HOST_HEADER'] = 'x-forwarded-host';
const { handler } = await import(pathToFileURL(`${folder}/handler.js`).href);

createServer((request, response) => {
  request.headers['x-forwarded-proto'] ??= 'http';
  handler(request, response, () => response.writeHead(404).end('Not found'));
}).listen(Number(port), 'localhost');
