import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRequestListener } from '@remix-run/node-fetch-server';
import { createRequestHandler, type ServerBuild } from 'react-router';

// A server for the built application. It prints its port.

const { base = '/', trustProxy } = JSON.parse(process.env['BINDING_SETUP'] ?? '{}');
const build = (await import(process.env['BINDING_BUILD'] ?? '')) as ServerBuild;
const handle = createRequestHandler({ ...build, basename: base }, 'production');

const server = createServer(
  createRequestListener(async (request, client) => {
    const forwarded = trustProxy ? request.headers.get('x-forwarded-for') : null;
    request.headers.set('x-client-address', forwarded ?? client.address);
    return handle(request);
  }),
);
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
