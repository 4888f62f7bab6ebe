/** Value of `AUTH_SECRET`. */
export const secret = 'the-secret-of-the-environment-of-the-runtimes';

/**
 * Returns the environment of a runtime. It does not inherit variables, so that it is the same everywhere.
 *
 * @param {string} folder
 * @returns {NodeJS.ProcessEnv}
 */
export function environmentIn(folder) {
  const { PATH, SystemRoot } = process.env;
  return {
    ...(PATH !== undefined && { PATH }),
    ...(SystemRoot !== undefined && { SystemRoot }),
    ...{ HOME: folder, TMPDIR: folder, DENO_DIR: `${folder}/.deno`, DENO_NO_UPDATE_CHECK: '1', DO_NOT_TRACK: '1' },
    AUTH_SECRET: secret,
  };
}
