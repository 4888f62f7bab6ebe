import { copyWithEnv, type Env, isInUse } from '../config/env.ts';
import type { AuthConfig } from '../types/config.ts';

/** A binding that starts. */
export interface Start {
  /** The configuration, or a function that makes it for each request. Such a function is not called. */
  readonly config: unknown;
  /** The environment variables; `undefined` if the framework is building the application. */
  readonly env: () => Env | undefined | Promise<Env | undefined>;
  /** The base path if neither the configuration nor the environment names one. */
  readonly basePath: string;
  /** Whether the application mounts the handler at a path of its choice, which must be the base path. */
  readonly isMounted?: boolean | undefined;
}

/** The parts of the runtime that are used. */
interface Runtime {
  readonly navigator?: { readonly userAgent?: string };
  readonly process?: { readonly env?: Env };
  readonly setImmediate?: (run: () => void) => unknown;
}

/**
 * Checks the configuration after the application's modules have loaded. The log then has its problems before the
 * first visitor comes. Nothing happens on runtimes other than Node.js, while Next.js builds, and in tests: there the
 * first request reports the problems.
 *
 * ```ts
 * checkAtStart({ config, env: () => process.env, basePath: '/auth' });
 * ```
 */
export function checkAtStart({ config, env, basePath, isMounted = false }: Start): void {
  const { navigator, process, setImmediate } = globalThis as Runtime;
  if (typeof config !== 'object' || config === null || !setImmediate) return;
  // Runtimes that imitate Node.js have a name of their own here.
  if (!navigator?.userAgent?.startsWith('Node.js')) return;
  // A tool that loads the application checks it itself, see `announceConfig`.
  if (Reflect.has(globalThis, Symbol.for('latchkey.inspect'))) return;
  const isQuiet = ({ NODE_ENV, NEXT_PHASE }: Env): boolean =>
    NODE_ENV === 'test' || NEXT_PHASE === 'phase-production-build';
  if (isQuiet(process?.env ?? {})) return;
  const check = async (): Promise<void> => {
    try {
      const variables = await env();
      const given = config as AuthConfig;
      // If a request has come first, it has reported the problems.
      if (!variables || isQuiet(variables) || isInUse(given)) return;
      const { reportConfig } = await import('../config/report.ts');
      const { config: complete, call, statedPath } = copyWithEnv(given, variables, basePath);
      const mount = isMounted && statedPath !== basePath ? statedPath : undefined;
      await reportConfig(given, { config: complete, env: variables, origin: call.origin, mount });
    } catch {
      // For example a getter of the application that throws: the first request reports it.
    }
  };
  setImmediate(() => void check());
}
