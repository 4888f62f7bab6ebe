import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export type { SessionStatus, UseAuth } from './app/use-auth.ts';

/** The part of Nuxt that the module uses. */
export interface NuxtForModule {
  readonly options: {
    readonly build: { readonly transpile: unknown[] };
    readonly runtimeConfig: { readonly public: { latchkey?: unknown } };
    readonly _layers: readonly { readonly config: { readonly rootDir: string } }[];
    readonly serverDir: string;
  };
  hook(name: 'nitro:config', run: (config: NitroForModule) => void): unknown;
  hook(name: 'imports:extend', run: (imports: { name: string; from: string }[]) => void): unknown;
  hook(name: 'app:resolve', run: (app: AppForModule) => void): unknown;
}

/** The part of the configuration of Nitro that the module changes. */
export interface NitroForModule {
  alias?: Record<string, string>;
  plugins?: string[];
}

/** The part of an application that the module changes. */
export interface AppForModule {
  readonly plugins: { src: string; mode?: 'client' }[];
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
