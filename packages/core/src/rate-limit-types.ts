import type { Awaitable } from './types.ts';

/** How often something may happen. */
export interface RateLimit {
  /** Times within any `window`, a whole number from 1 to 1000. */
  limit?: number | undefined;
  /** Seconds, from 1 to 86400. It slides: each time counts for so long, from its own instant. */
  window?: number | undefined;
}

/** How often credentials may be refused. */
export interface CredentialsRateLimit extends RateLimit {
  /**
   * Whose credentials are these? `undefined`: nobody's, so that only the network is counted.
   * Default: what the fields with a usual name say (`username`, `email`, `login`, `phone`, …), each counted by itself; where the form
   * of the provider has none of them, its first field that is no password.
   */
  identifier?: ((credentials: Record<string, unknown>) => string | undefined) | undefined;
}

/** Limits on sign-in attempts and mails. Each may be `false`: no limit of this kind. */
export interface RateLimitOptions {
  /** Failed sign-ins with credentials, by identifier. Default: 20 in 900 seconds. */
  credentials?: CredentialsRateLimit | false | undefined;
  /** Sign-in mails, by address. Default: 5 in 900 seconds. */
  email?: RateLimit | false | undefined;
  /**
   * Failed sign-ins with credentials, and apart from them mails, by the visitor's network (an IPv4 address, a /64 of IPv6), where that
   * is known. Default: 100 in 900 seconds.
   */
  network?: RateLimit | false | undefined;
  /** Where the counters are. Default: in this process, 20,000 at most. */
  store?: RateLimitStore | undefined;
  /**
   * Proxies in front of the application, each of which appends the address it was asked from to `X-Forwarded-For`: from 0 to 16. The
   * visitor's address is that many entries from the end. Default: the header is not read, the host framework tells the address, and
   * addresses of private networks, where a proxy would be, are not counted.
   */
  trustedProxyHops?: number | undefined;
}

/** A limit as a store is asked to keep it. */
export interface RateLimitRule {
  readonly limit: number;
  /** Seconds. */
  readonly window: number;
  /** The instant of the attempt. */
  readonly now: Date;
}

/** Where counters are. All processes of an application that share one keep the limits together. */
export interface RateLimitStore {
  /**
   * Counts one more time, at `now`, unless `limit` times of the last `window` seconds are counted already. To look and to count is one
   * atomic step: of any number of simultaneous calls, no more than `limit` are counted. A time that lies exactly `window` back is over.
   *
   * @param counter 43 characters of base64url that say nothing about who is counted.
   * @returns `null` when it was counted; else the instant from which one more can be. What is refused is not counted.
   */
  take(counter: string, rule: RateLimitRule): Awaitable<Date | null>;
  /** Takes back one time that was counted at `at`; nothing where there is none. */
  giveBack(counter: string, at: Date): Awaitable<void>;
}
