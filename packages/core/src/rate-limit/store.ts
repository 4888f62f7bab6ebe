import { errorOf } from '../config/hooks.ts';
import type { Log } from '../config/logger.ts';
import { AdapterError } from '../errors.ts';
import type { RateLimitRule, RateLimitStore } from '../rate-limit-types.ts';
import { processCounters } from './memory.ts';

/** A time that was counted. */
export interface Place {
  /** Takes it back. Never fails: a success must not become a failure because of it. */
  giveBack(): Promise<void>;
}

/** Stores that have failed, and have not worked since. */
const failing = new WeakSet<RateLimitStore>();

/**
 * Counts one more time.
 *
 * A store that fails lets nobody in unlimited, and locks nobody out: meanwhile this process counts by itself. The log is told once,
 * and again when the store has worked in between.
 *
 * @returns The instant from which there is a place again, when there is none now.
 */
export async function takePlace(
  own: RateLimitStore | undefined,
  logger: Log,
  counter: string,
  rule: RateLimitRule,
): Promise<Place | Date> {
  if (own) {
    try {
      const freeAt: unknown = await own.take(counter, rule);
      const isFull = freeAt instanceof Date && !Number.isNaN(freeAt.getTime());
      if (!isFull && freeAt !== null && freeAt !== undefined)
        throw new TypeError('`take` returned neither a Date nor null');
      failing.delete(own);
      return isFull ? freeAt : placeIn(own, logger, counter, rule.now);
    } catch (error) {
      await report(own, logger, error, 'take');
    }
  }
  return processCounters.take(counter, rule) ?? placeIn(processCounters, logger, counter, rule.now);
}

function placeIn(store: RateLimitStore, logger: Log, counter: string, at: Date): Place {
  return {
    async giveBack() {
      try {
        await store.giveBack(counter, at);
      } catch (error) {
        await report(store, logger, error, 'giveBack');
      }
    },
  };
}

async function report(store: RateLimitStore, logger: Log, error: unknown, method: string): Promise<void> {
  if (failing.has(store)) return;
  failing.add(store);
  await logger.error(
    new AdapterError('the store of `rateLimit` failed. Until it works again, each process counts by itself', {
      err: errorOf(error),
      method: `rateLimit.store.${method}`,
    }),
  );
}
