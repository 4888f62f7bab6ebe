import { assertConfig } from '../config/assert-config.ts';
import { copyWithEnv, type Env, isInUse, processEnv } from '../config/env.ts';
import { announceConfig } from '../inspect.ts';
import type { AuthConfig } from '../types/config.ts';

/** A binding that is constructed. */
export interface BindingStart extends Pick<Start, 'isMounted'> {
  /** Name of the binding, such as `hono`. */
  readonly binding: string;
  /** The configuration, or a function that makes it for each request. Such a function is not called. */
  readonly config: unknown;
  /** The environment variables that the application passed. Default: those of the process. */
  readonly env: Env | undefined;
  /** The base path if neither the configuration nor the environment names one. Default: `/auth`. */
  readonly basePath?: string | undefined;
  /** The variables for the check; see {@link Start.env}. Default: `env`. */
  readonly checkedEnv?: Start['env'] | undefined;
}

/**
 * Starts a binding: passes its configuration to a tool that loads the application, and checks it after the
 * application's modules have loaded. Each binding calls it when it is constructed.
 *
 * ```ts
 * startBinding({ binding: 'hono', config, env });
 * ```
 */
export function startBinding({ binding, config, env, basePath = '/auth', isMounted, checkedEnv }: BindingStart): void {
  announceConfig({ binding, config, env, basePath });
  checkAtStart({ config, env: checkedEnv ?? (() => env ?? processEnv()), basePath, isMounted });
}

/**
 * Throws if a configuration has problems, so that an application does not start with them.
 *
 * ```ts
 * await assertConfig(config);
 * ```
 *
 * @param env Environment variables, as for the binding. Default: those of the process.
 * @throws {AuthError} With all problems in `errors`.
 */
export function assertBindingConfig(config: Omit<AuthConfig, 'raw'>, env: Env = processEnv()): Promise<void> {
  return assertConfig(config, env);
}

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
