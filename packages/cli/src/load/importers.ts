import { createRequire } from 'node:module';
import { join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createJiti } from 'jiti';
import type { Framework } from './frameworks.ts';

/** Imports a file of an application. */
type Importer = (file: string) => Promise<Readonly<Record<string, unknown>>>;

/** Returns how files of a framework are imported. */
export function importerOf(framework: Framework, root: string): Importer {
  return framework === 'sveltekit' ? byVite(root) : byJiti(root);
}

/** TypeScript, JSX, and the paths of `tsconfig.json`. */
function byJiti(root: string): Importer {
  const own = join(root, 'package.json');
  const jiti = createJiti(pathToFileURL(own).href, {
    alias: serverOnly(own),
    fsCache: false,
    tsconfigPaths: true,
    jsx: true,
    interopDefault: false,
  });
  return (file) => jiti.import(file);
}

/** jiti does not know the condition `react-server` of the process, without which this module throws. */
function serverOnly(from: string): Record<string, string> {
  try {
    return { 'server-only': createRequire(from).resolve('server-only') };
  } catch {
    return {};
  }
}

/** The members of Vite that are used. The application has its own version. */
interface Vite {
  createServer(options: object): Promise<{
    ssrLoadModule(url: string): Promise<Record<string, unknown>>;
    close(): Promise<void>;
  }>;
}

/** Modules such as `$app/paths` exist only inside the application's Vite. It listens on no port. */
function byVite(root: string): Importer {
  return async (file) => {
    const path = createRequire(join(root, 'package.json')).resolve('vite');
    const { createServer } = (await import(pathToFileURL(path).href)) as Vite;
    const server = await createServer({
      root,
      appType: 'custom',
      logLevel: 'silent',
      clearScreen: false,
      server: { middlewareMode: true, hmr: false, watch: null, ws: false },
      optimizeDeps: { noDiscovery: true, include: [] },
    });
    return server.ssrLoadModule(`/${relative(root, file).split(sep).join('/')}`);
  };
}
