import { announceConfig } from '../inspect.ts';
import type { ConfigWith } from '../types/config.ts';
import type { DefaultSession, Session } from '../types/session.ts';
import { defaults } from './defaults.ts';

/**
 * Returns a configuration unchanged, with its type. In a variable, `strategy: 'jwt'` would be any string, and a member
 * with a wrong name would be noticed nowhere. The type of the session stays what `callbacks.session` returns.
 *
 * ```ts
 * export const config = defineConfig({ providers: [GitHub], session: { strategy: 'jwt' } });
 * ```
 */
export function defineConfig<S extends DefaultSession = Session>(config: ConfigWith<S>): ConfigWith<S> {
  announceConfig({ binding: 'core', config, env: undefined, basePath: defaults.basePath });
  return config;
}
