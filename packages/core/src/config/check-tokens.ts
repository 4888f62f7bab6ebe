import { AuthError } from '../errors.ts';
import type { Warning } from '../log/logger.ts';
import { isRecord } from '../plain-object.ts';
import type { AuthConfig } from '../types/config.ts';
import { limits } from './defaults.ts';

const STALE: Warning = {
  code: 'account-columns-stale',
  words:
    "the adapter lacks `updateAccount`, so the token columns of accounts keep the first sign-in's values. Read tokens with `tokens.get` only.",
};

/** Checks the option `tokens`. */
export function checkTokens(config: AuthConfig): (AuthError | Warning)[] {
  const { tokens, adapter } = config;
  if (!isRecord(tokens)) return [];
  const findings = storeProblems(config).map((text): AuthError | Warning => new AuthError(text));
  const problem = (text: string): number => findings.push(new AuthError(text));
  const { accountColumns, minTtl, kms } = tokens;
  if (![undefined, 'keep', 'clear'].includes(accountColumns))
    problem("`tokens.accountColumns` must be 'keep' or 'clear'");
  if (minTtl !== undefined && !(Number.isInteger(minTtl) && minTtl >= 0 && minTtl <= limits.minTtl)) {
    problem(`\`tokens.minTtl\` must be a whole number of seconds from 0 to ${limits.minTtl}`);
  }
  if (kms && !(typeof kms.wrap === 'function' && typeof kms.unwrap === 'function')) {
    problem('`tokens.kms` must have the functions `wrap` and `unwrap`');
  }
  const isInCookie = tokens.store === 'cookie';
  if (isInCookie && kms) problem('`tokens.kms` needs a token vault. Remove it, or use a vault');
  const lacksUpdate = adapter && typeof adapter !== 'function' && !adapter.updateAccount;
  if (accountColumns === 'clear' && (!adapter || lacksUpdate || isInCookie)) {
    problem("`tokens.accountColumns: 'clear'` needs a token vault and an adapter with `updateAccount`. Use `'keep'`");
  } else if (lacksUpdate && !isInCookie) findings.push(STALE);
  return findings;
}

function storeProblems({ tokens, adapter, session }: AuthConfig): string[] {
  const store: unknown = tokens?.store;
  if (store === 'cookie') {
    const hasCookieSessions = (session?.strategy ?? (adapter ? 'database' : 'jwt')) === 'jwt';
    if (hasCookieSessions) return [];
    return ["`tokens.store: 'cookie'` needs `session.strategy: 'jwt'`. Use a token vault for database sessions"];
  }
  if (store === true) {
    // A function that makes the adapter is not called here.
    const hasVault = typeof adapter === 'function' || isRecord(isRecord(adapter) && adapter.tokenVault);
    if (hasVault) return [];
    return [
      '`tokens.store: true` needs an adapter with a token vault. Use `SqlTokenVault(db)` or `RedisTokenVault(client)`',
    ];
  }
  const isVault = isRecord(store) && ['read', 'find', 'lease', 'write', 'remove'].every((step) => isStep(store, step));
  return isVault ? [] : ["`tokens.store` must be true, a token vault or 'cookie'. Set it, or remove `tokens`"];
}

function isStep(store: object, name: string): boolean {
  return typeof Reflect.get(store, name) === 'function';
}
