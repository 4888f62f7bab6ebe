import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Faults } from '../reference-application.ts';

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

const html = `<!doctype html>
<h1></h1>
<a href="/guarded?chapter=2">guarded</a>
<script type="module" src="/client.js"></script>`;

/** JavaScript that breaks the client. */
export interface ClientFaults {
  /** Runs before the script of the page. */
  readonly before?: string;
  /** Runs after it. */
  readonly after?: string;
}

/** Returns the part of the reference binding that serves the page `/client`. */
export async function clientPage({ before = '', after = '' }: ClientFaults = {}): Promise<Faults> {
  const script = await bundled();
  return {
    intercept({ url }, response) {
      if (url !== '/client' && url !== '/client.js') return false;
      const isPage = url === '/client';
      response.setHeader('content-type', isPage ? 'text/html' : 'text/javascript');
      response.end(isPage ? html : `${before}\n${script}\n${after}`);
      return true;
    },
  };
}

async function bundled(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [path('script.ts')],
    bundle: true,
    format: 'esm',
    write: false,
    logLevel: 'error',
    alias: { '@latchkey/core/client': path('../../../core/src/client.ts') },
  });
  return outputFiles[0]?.text ?? '';
}
