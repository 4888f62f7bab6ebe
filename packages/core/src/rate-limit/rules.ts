import { signInDefaults } from '../config/sign-in-defaults.ts';
import type { RateLimit, RateLimitOptions } from '../rate-limit-types.ts';

/** What is limited. */
export type Purpose = 'credentials' | 'email';
/** By what it is counted. */
export type Kind = 'identifier' | 'network';

/** The limit for a purpose and a kind of counter; `undefined` where there is none. */
export function ruleFor(options: RateLimitOptions, purpose: Purpose, kind: Kind): Required<RateLimitPair> | undefined {
  const name = kind === 'network' ? 'network' : purpose;
  const own = options[name];
  if (own === false) return undefined;
  const { limit, window } = signInDefaults.rateLimit[name];
  return { limit: own?.limit ?? limit, window: own?.window ?? window };
}

type RateLimitPair = { [K in keyof Pick<RateLimit, 'limit' | 'window'>]: number };
