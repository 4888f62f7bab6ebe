// The parts of Nuxt that the package uses. Nuxt is not installed in the root of the repository (decisions/91). The tests
// in `test/compat` compile the package's declarations with those of Nuxt itself.

interface ImportMeta {
  /** Whether the code runs on the server. */
  readonly server: boolean;
  /** Whether the server renders pages at build time. */
  readonly prerender: boolean;
}

declare module 'vue' {
  export interface Ref<T = unknown> {
    value: T;
  }
  export interface ComputedRef<T = unknown> extends Ref<T> {
    readonly value: T;
  }
}

declare module 'nuxt/app' {
  export interface PageMeta {
    [key: string]: unknown;
  }
}

declare module '#imports' {
  import type { H3Event } from 'h3';
  import type { ComputedRef, Ref } from 'vue';

  interface Route {
    readonly fullPath: string;
    readonly meta: { readonly auth?: unknown };
  }
  interface NuxtApp {
    readonly isHydrating?: boolean;
    readonly payload: { readonly serverRendered?: boolean };
    readonly $latchkey: { refresh(): Promise<void> };
    runWithContext<T>(run: () => T): T | Promise<T>;
  }

  export function computed<T>(get: () => T): ComputedRef<T>;
  export function defineNuxtPlugin<T>(plugin: () => T): () => T;
  export function defineNuxtRouteMiddleware<T>(middleware: (to: Route) => T): (to: Route) => T;
  export function getCurrentInstance(): object | null;
  export function navigateTo(to: string, options: { external: true }): Promise<unknown>;
  export function onServerPrefetch(run: () => Promise<unknown>): void;
  export function onNuxtReady(run: () => unknown): void;
  export function useError(): Ref<unknown>;
  export function useNuxtApp(): NuxtApp;
  export function useRequestEvent(): H3Event | undefined;
  export function useRouter(): { readonly currentRoute: Ref<Route>; resolve(path: string): { readonly href: string } };
  export function useRuntimeConfig(): { readonly public: { readonly latchkey: { readonly basePath: string } } };
  export function useState<T>(key: string): Ref<T | undefined>;
  export function watch(source: Ref<unknown>, run: () => unknown): void;
}

declare module 'nitropack/runtime' {
  import type { H3Event } from 'h3';

  export function getRouteRules(event: H3Event): Readonly<Record<'cache' | 'isr' | 'prerender' | 'swr', unknown>>;
}

declare module '#latchkey/auth' {
  import type { H3AuthResult } from '@latchkey/h3';

  export const handler: H3AuthResult['handler'];
  export const auth: H3AuthResult['auth'];
  export const requireSession: H3AuthResult['requireSession'];
}
