import { createRequestListener } from '@remix-run/node-fetch-server';
import express from 'express';
import { createRequestHandler, type ServerBuild } from 'react-router';

// Serves the output of `react-router build`: files of the browser, and everything else by React Router.
const folder = new URL('build/', import.meta.url);
const build = (await import(new URL('server/index.js', folder).href)) as ServerBuild;
const handle = createRequestHandler(build);

const app = express();
app.disable('x-powered-by');
app.use('/assets', express.static(new URL('client/assets', folder).pathname, { immutable: true, maxAge: '1y' }));
app.use(
  createRequestListener((request, client) => {
    // Clients could send this header, too. Here it is always replaced.
    request.headers.set('x-client-address', client.address);
    return handle(request);
  }),
);
app.listen(Number(process.env['PORT'] ?? 3000), 'localhost');
