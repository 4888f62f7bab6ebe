import type { AuthConfig } from '../types/config.ts';
import { defaults } from './defaults.ts';
import { copyWithEnv, type Env } from './env.ts';

/**
 * Throws if a configuration has problems, so that an application does not start with them. Sends no request, calls no
 * callback and does not make the adapter.
 *
 * ```ts
 * await assertConfig(config, process.env);
 * server.listen(3000);
 * ```
 *
 * @param env Environment variables that complete the configuration. Default: none, as for `Auth()`.
 * @param basePath The base path if neither the configuration nor the environment names one. Default: `/auth`.
 * @throws {AuthError} With all problems in `errors`. Its message has all of them, too.
 */
export async function assertConfig(
  config: Omit<AuthConfig, 'raw'>,
  env?: Env,
  basePath: string = defaults.basePath,
): Promise<void> {
  const { refuseProblems } = await import('./report.ts');
  if (!env) return refuseProblems({ config, env, origin: undefined });
  // The environment is read afresh, and the copy that requests use is not filled.
  const { config: complete, call } = copyWithEnv(config, env, basePath);
  refuseProblems({ config: complete, env, origin: call.origin });
}
