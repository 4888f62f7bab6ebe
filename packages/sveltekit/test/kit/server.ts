import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Browser, type BrowserOptions, type Page } from '@latchkey/testing';
import { buildKit } from './build.ts';

/** Kit's server, as its adapters know it. */
interface KitServer {
  init(options: { env: Record<string, string | undefined> }): Promise<void>;
  respond(request: Request, options: { getClientAddress(): string; platform?: unknown }): Promise<Response>;
}

/** An application built by Kit, in this process, without a port. */
export interface Kit {
  /** Answers as the running application would. */
  readonly respond: (request: Request) => Promise<Response>;
  browser(options?: BrowserOptions): Browser;
  /** A page that was made while the application was built. */
  prerendered(path: string): string;
}

/** The application beside these tests. */
export const app: string = fileURLToPath(new URL('../app', import.meta.url));

/**
 * Builds the application and loads its server.
 *
 * @param env As the host would give it.
 * @param options `address`: from where its visitors come. `setup`: a member of `event.platform`.
 */
export async function startKit(
  app: string,
  env: Record<string, string | undefined> = {},
  { address = '203.0.113.7', setup }: { address?: string; setup?: object } = {},
): Promise<Kit> {
  const folder = await buildKit(app);
  // Not `import()`, which vitest would turn into its own.
  const load = createRequire(import.meta.url);
  const { Server } = load(join(folder, 'index.js')) as { Server: new (manifest: unknown) => KitServer };
  const { manifest } = load(join(folder, 'manifest.js')) as { manifest: unknown };
  const server = new Server(manifest);
  await server.init({ env });
  const respond = (request: Request): Promise<Response> =>
    server.respond(request, { getClientAddress: () => address, platform: { setup } });
  return {
    respond,
    browser: (options) => new Browser((request) => respond(asPage(request)), options),
    prerendered: (path) => readFileSync(join(folder, '../prerendered/pages', `${path}.html`), 'utf8'),
  };
}

/** Adds the headers of a browser that opens a page. Without them, Kit treats the request as one of its own. */
function asPage(request: Request): Request {
  request.headers.set('host', new URL(request.url).host);
  if (!request.headers.has('accept')) request.headers.set('accept', 'text/html,*/*;q=0.8');
  return request;
}

/** Returns the data that a page of the test application shows. */
export function shown<T = unknown>(page: Pick<Page, 'text'>): T {
  const [, json = ''] = /<pre[^>]*>(.*?)<\/pre>/s.exec(page.text().replaceAll(/<!--.*?-->/gs, '')) ?? [];
  return JSON.parse(json.replaceAll('&lt;', '<').replaceAll('&amp;', '&').replaceAll('&quot;', '"')) as T;
}
