import type { AuthConfig } from '../types.ts';
import { defaults } from './defaults.ts';

/** A member of the configuration that is wrong, is to be warned of, or has to be looked at closely: `check.ts` does, and has the words for it. */
export type Doubt =
  | 'trustHost'
  | 'secret'
  | 'providers'
  | 'session.strategy'
  | 'adapter'
  | 'session.maxAge'
  | 'session.updateAge'
  | 'jwt.maxAge'
  | 'cookies'
  | 'redirectProxyUrl'
  | 'shortSecret'
  | 'debug'
  | 'enableWebAuthn';

/** What is doubtful in a configuration, its providers left aside. Nearly always nothing: then `check.ts` is not even loaded. */
export function doubtsAbout(config: AuthConfig, secrets: readonly string[]): readonly Doubt[] {
  const { session, jwt } = config;
  const strategy = session?.strategy;
  const found: Record<Doubt, unknown> = {
    trustHost: config.trustHost !== true,
    secret: secrets.length === 0,
    providers: !Array.isArray(config.providers),
    'session.strategy': strategy !== undefined && strategy !== 'jwt' && strategy !== 'database',
    adapter: strategy === 'database' && !config.adapter,
    'session.maxAge': isNoTime(session?.maxAge),
    'session.updateAge': isNoTime(session?.updateAge),
    'jwt.maxAge': isNoTime(jwt?.maxAge),
    // Whoever sets these may have made a mistake; to find it takes more than a look.
    cookies: config.cookies,
    redirectProxyUrl: config.redirectProxyUrl,
    shortSecret: secrets.some((secret) => secret.length < defaults.secretLength),
    debug: config.debug === true && !config.logger,
    enableWebAuthn: config.experimental?.enableWebAuthn,
  };
  return (Object.keys(found) as Doubt[]).filter((name) => found[name]);
}

function isNoTime(value: number | undefined): boolean {
  return value !== undefined && !(Number.isFinite(value) && value >= 0);
}
