import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { BindingSetup } from '@latchkey/testing/binding-application';
import type { RunningApplication } from '@latchkey/testing/binding-suite';
import { startKit } from '../kit/server.ts';

/** The functions of Kit's adapter for Node.js. */
interface KitNode {
  getRequest(options: { request: IncomingMessage; base: string }): Promise<Request>;
  setResponse(response: ServerResponse, answer: Response): Promise<void>;
}

/** Serves a built test application, as Kit's adapter for Node.js does. */
export async function serveContract(app: string, setup: BindingSetup): Promise<RunningApplication> {
  const load = createRequire(join(app, 'package.json'));
  // The package names this file for `import` only, which vitest would turn into its own.
  const kit = load.resolve('@sveltejs/kit/package.json');
  const { getRequest, setResponse } = load(join(kit, '../src/exports/node/index.js')) as KitNode;
  const { respond } = await startKit(app, {}, { setup });
  const client = join(app, '.svelte-kit/output/client');
  const server = createServer(async (request, response) => {
    try {
      if (request.url?.startsWith('/_app/')) return await sendAsset(join(client, request.url), response);
      const base = `http://${request.headers.host}`;
      await setResponse(response, await respond(await getRequest({ request, base })));
    } catch (error) {
      response.writeHead(error instanceof Error && 'status' in error ? Number(error.status) : 400).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Sends a file for the browser: a script or a style. */
async function sendAsset(file: string, response: ServerResponse): Promise<void> {
  const content = await readFile(file);
  response.writeHead(200, { 'content-type': file.endsWith('.js') ? 'text/javascript' : 'text/css' }).end(content);
}

/** The features that SvelteKit lacks, or leaves to its adapters. */
export const contractFeatures = {
  // Set while the application is built.
  base: false,
  // One hook answers all actions.
  secondMount: false,
  // Kit's adapters do not accept such request lines.
  absoluteTarget: false,
  // `handleError` returns the body of the answer only.
  errorHandler: false,
  // The adapter reads forwarded headers.
  trustProxy: false,
  clientAddress: false,
  parseBodies: false,
  // The binding checks the origin of forms instead.
  csrfTokens: false,
} as const;
