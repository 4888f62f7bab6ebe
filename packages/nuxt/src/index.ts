import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export type { SessionStatus, UseAuth } from './app/use-auth.ts';

/** The part of Nuxt that the module uses. */
export interface NuxtForModule {
  /** The options of the application. */
  readonly options: NuxtOptionsForModule;
  /** Runs a function when Nuxt configures Nitro. */
  hook(name: 'nitro:config', run: (config: NitroForModule) => void): unknown;
  /** Runs a function when Nuxt lists the automatic imports. */
  hook(name: 'imports:extend', run: (imports: { name: string; from: string }[]) => void): unknown;
  /** Runs a function when Nuxt has found the plugins and the middleware of the application. */
  hook(name: 'app:resolve', run: (app: AppForModule) => void): unknown;
}

/** The part of the options of an application that the module uses. */
export interface NuxtOptionsForModule {
  /** The packages that the build compiles. */
  readonly build: { readonly transpile: unknown[] };
  /** The configuration at run time. The browser gets the public part. */
  readonly runtimeConfig: { readonly public: { latchkey?: unknown } };
  /** The application and the layers that it extends. */
  readonly _layers: readonly { readonly config: { readonly rootDir: string } }[];
  /** Path of the folder `server`. */
  readonly serverDir: string;
}

/** The part of the configuration of Nitro that the module changes. */
export interface NitroForModule {
  /** Files by the name under which others import them. */
  alias?: Record<string, string>;
  /** Paths of plugins. */
  plugins?: string[];
}

/** The part of an application that the module changes. */
export interface AppForModule {
  /** Plugins of the pages. */
  readonly plugins: { src: string; mode?: 'client' }[];
  /** Middleware of the router of the pages. */
  readonly middleware: { name: string; path: string; global?: boolean }[];
}

const folder = fileURLToPath(new URL('.', import.meta.url));

/**
 * The module for Nuxt: answers the actions, adds `useAuth()`, and guards pages with the meta `auth: 'required'`.
 *
 * ```ts
 * export default defineNuxtConfig({ modules: ['@latchkey/nuxt'] }); // nuxt.config.ts
 * ```
 *
 * The configuration is `server/utils/auth.ts`, which exports what `H3Auth` of `@latchkey/nuxt/server` returns. If
 * `basePath` is not `/auth`, set `runtimeConfig.public.latchkey.basePath` to the same path, for the browser.
 *
 * @throws {Error} If there is no such file.
 */
export default function latchkey(_options: unknown, nuxt: NuxtForModule): void {
  const { build, runtimeConfig } = nuxt.options;
  const configuration = configurationFile(nuxt);
  build.transpile.push(folder);
  runtimeConfig.public.latchkey = { basePath: '/auth', ...(runtimeConfig.public.latchkey as object | undefined) };
  nuxt.hook('nitro:config', (config) => {
    config.alias = { ...config.alias, '#latchkey/auth': configuration };
    config.plugins = [...(config.plugins ?? []), join(folder, 'nitro/plugin.js')];
  });
  nuxt.hook('imports:extend', (imports) => {
    imports.push({ name: 'useAuth', from: join(folder, 'app/use-auth.js') });
  });
  nuxt.hook('app:resolve', ({ plugins, middleware }) => {
    plugins.push({ src: join(folder, 'app/plugin.js'), mode: 'client' });
    middleware.push({ name: 'latchkey', path: join(folder, 'app/guard.js'), global: true });
  });
}

/** Returns `server/utils/auth.ts` of the application, or of the first layer that has it. */
function configurationFile({ options }: NuxtForModule): string {
  const folders = [options.serverDir, ...options._layers.map(({ config }) => join(config.rootDir, 'server'))];
  const files = folders.flatMap((server) =>
    ['ts', 'mts', 'js', 'mjs'].map((type) => join(server, `utils/auth.${type}`)),
  );
  const found = files.find((file) => existsSync(file));
  if (found) return found;
  throw new Error(
    '@latchkey/nuxt: `server/utils/auth.ts` is missing. Create it: ' +
      "`export const { handler, auth, requireSession } = H3Auth({ providers: [] })`, with `H3Auth` of '@latchkey/nuxt/server'",
  );
}
