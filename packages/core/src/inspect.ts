import type { Env } from './config/env.ts';

/** The name under which a tool, such as `@latchkey/cli`, puts a function to receive configurations. */
const HOOK = Symbol.for('latchkey.inspect');

/** A configuration, as a binding received it when it was constructed. */
export interface Announcement {
  /** Name of the binding: `express`, `next`, `sveltekit`; `core` for `defineConfig`. */
  readonly binding: string;
  /** The configuration, or a function that makes it for each request. */
  readonly config: unknown;
  /** The environment variables that the application passed; `undefined` for those of the process. */
  readonly env: Env | undefined;
  /** The base path if neither the configuration nor the environment names one. */
  readonly basePath: string;
}

/**
 * Passes a configuration to the tool that loads the application, if there is one. Each binding calls it when it is
 * constructed. Without a tool, it does nothing.
 *
 * ```ts
 * announceConfig({ binding: 'express', config, env, basePath: '/auth' });
 * ```
 */
export function announceConfig(announcement: Announcement): void {
  const receive: unknown = Reflect.get(globalThis, HOOK);
  if (typeof receive === 'function') receive(announcement);
}
