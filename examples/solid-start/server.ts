import { serve } from 'srvx';
import { staticMiddleware } from 'srvx/static';

// Serves the output of `vite build`.
const { default: application } = (await import(`${import.meta.dirname}/dist/server/entry-server.js`)) as {
  default: { fetch(request: Request): Promise<Response> };
};

serve({
  middleware: [staticMiddleware({ dir: `${import.meta.dirname}/dist/client` })],
  fetch: (request) => application.fetch(request),
  hostname: 'localhost',
  port: Number(process.env['PORT'] ?? 3000),
});
