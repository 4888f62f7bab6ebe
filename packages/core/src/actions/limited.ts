import { lazily } from '../config/lazy.ts';
import type { Context, Reply } from '../context.ts';
import { RateLimited } from '../errors.ts';
import type { Place } from '../rate-limit/store.ts';
import { badRequest } from './failure.ts';

const limits = lazily(() => import('../rate-limit/reserve.ts'));
const answers = lazily(() => import('./too-many.ts'));

/**
 * Takes a place, out of the module that counts; `undefined` when the request is none that can be counted.
 *
 * @throws {RateLimited} when there is none.
 */
export type Reserve = (counting: typeof import('../rate-limit/reserve.ts')) => Promise<Place | undefined>;

const unlimited: Place = { giveBack: async () => undefined };

/**
 * Does work for which there has to be a place; answers 429 where there is none, and 400 to what cannot be counted. With
 * `rateLimit: false` there is always one, and nothing of the limits is loaded.
 */
export async function limited(
  context: Context,
  reserve: Reserve,
  work: (place: Place) => Promise<Reply>,
): Promise<Reply> {
  if (context.settings.config.rateLimit === false) return work(unlimited);
  const place = await placeOf(context, reserve);
  return 'giveBack' in place ? work(place) : place;
}

async function placeOf(context: Context, reserve: Reserve): Promise<Place | Reply> {
  try {
    return (await reserve(await limits())) ?? badRequest();
  } catch (error) {
    if (!(error instanceof RateLimited)) throw error;
    return (await answers()).tooMany(context, error);
  }
}
