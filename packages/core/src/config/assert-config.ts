import { AuthError } from '../errors.ts';
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
  const { findingsOf } = await import('./findings.ts');
  // The environment is read afresh, and the copy that requests use is not filled.
  const { config: complete, origin } = env ? completed(config, env, basePath) : { config, origin: undefined };
  const problems = findingsOf({ config: complete, env, origin }).problems.map(({ error }) => error);
  const [first] = problems;
  if (first) throw errorFor(first, problems);
}

function completed(config: AuthConfig, env: Env, basePath: string): { config: AuthConfig; origin: string | undefined } {
  const { config: complete, call } = copyWithEnv(config, env, basePath);
  return { config: complete, origin: call.origin };
}

function errorFor(first: AuthError, problems: readonly AuthError[]): AuthError {
  const texts = problems.map(({ type, message }) => `- ${type}: ${message}`);
  const count = problems.length === 1 ? 'a problem' : `${problems.length} problems`;
  const error = new AuthError(`the configuration has ${count}:\n${texts.join('\n')}`, { err: first });
  error.errors = problems;
  return error;
}
