/** The consequences of `NODE_ENV`. */
export interface Mode {
  readonly isProduction: boolean;
  readonly isDevelopment: boolean;
  /** `NODE_ENV` has no value, so it does not tell whether this is a production server. */
  readonly isUnset: boolean;
  /** The default of `trustHost`. `local`: loopback and private names. */
  readonly trustHost: boolean | 'local';
  /** Who sees details of failures. `local`: only requests from this machine, see `isLocalRequest`. */
  readonly development: boolean | 'local';
}

const STRICT: Mode = {
  isProduction: false,
  isDevelopment: false,
  isUnset: false,
  trustHost: 'local',
  development: false,
};
const MODES: Readonly<Record<string, Mode>> = {
  production: { ...STRICT, isProduction: true, trustHost: false },
  development: { ...STRICT, isDevelopment: true, trustHost: true, development: true },
  '': { ...STRICT, isUnset: true, development: 'local' },
};

/**
 * Returns the consequences of `NODE_ENV`. Values such as `test` and `staging` neither trust public hosts
 * nor show details.
 *
 * @param env Environment variables by name.
 */
export function modeOf({ NODE_ENV = '' }: { readonly NODE_ENV?: string | undefined }): Mode {
  return (Object.hasOwn(MODES, NODE_ENV) && MODES[NODE_ENV]) || STRICT;
}
