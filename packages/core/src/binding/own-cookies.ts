import type { EnvConfigured } from '../config/env.ts';
import { settingsFor } from '../config/settings.ts';
import { isPartOf } from '../wire/cookie-chunks.ts';
import { cookieKeys, type TableCookie } from '../wire/cookie-table.ts';

/** Tests the names of cookies. */
export interface OwnCookies {
  /** Returns whether the configuration sets a cookie of this name. */
  isOwn(name: string): boolean;
  /**
   * Returns whether such a cookie holds a session, its tokens or a pending mail, or the session of another library that
   * `legacy` reads. An answer to a request with it is personal.
   */
  isPersonal(name: string): boolean;
}

/**
 * Returns tests for the names of a configuration's cookies. While cookies change their names, both names count.
 *
 * ```ts
 * ownCookies(withEnv(config, process.env), 'https://example.com').isPersonal('__Secure-authjs.session-token'); // true
 * ```
 *
 * @param origin That of the request: names have a prefix with https. The origin of `AUTH_URL` takes precedence.
 */
export function ownCookies({ config, call }: EnvConfigured, origin: string): OwnCookies {
  const isSecure = config.useSecureCookies ?? (call.origin ?? origin).startsWith('https:');
  const { cookieTable, legacy = [] } = settingsFor(config);
  const table = cookieTable(isSecure, new Date());
  const old = legacy.flatMap(({ cookies }) => cookies);
  return {
    isOwn: (name) => cookieKeys.some((key) => hasName(table[key], name)),
    isPersonal: (name) =>
      hasName(table.sessionToken, name) ||
      hasName(table.tokens, name) ||
      hasName(table.mail, name) ||
      old.some((one) => isPartOf(name, one)),
  };
}

function hasName({ name, names = [name] }: TableCookie, given: string): boolean {
  return names.some((one) => isPartOf(given, one));
}
