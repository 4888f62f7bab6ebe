import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createRequestListener } from '@remix-run/node-fetch-server';

/** React Router's function of this name. Each major has a type of its own for the built application. */
type CreateRequestHandler = (build: never, mode: 'production') => (request: Request) => Promise<Response>;

/** Serves a built application, and prints the port. */
export async function listen(createRequestHandler: CreateRequestHandler): Promise<void> {
  const { base = '/', trustProxy } = JSON.parse(process.env['BINDING_SETUP'] ?? '{}');
  const file = process.env['BINDING_BUILD'] ?? '';
  const build = await import(file);
  const handle = createRequestHandler({ ...build, basename: base } as never, 'production');
  const server = createServer(
    createRequestListener(async (request, client) => {
      const { pathname } = new URL(request.url);
      if (/^\/assets\/[\w.-]+\.js$/.test(pathname)) {
        const script = await readFile(join(file, '../../client', pathname));
        return new Response(script, { headers: { 'content-type': 'text/javascript' } });
      }
      const forwarded = trustProxy ? request.headers.get('x-forwarded-for') : null;
      request.headers.set('x-client-address', forwarded ?? client.address);
      return handle(request);
    }),
  );
  server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
}
