import type { Store } from '../../config/store.ts';
import type { Context } from '../../context.ts';
import { MissingAdapter } from '../../errors.ts';

/**
 * The store, without which there are no links.
 *
 * @throws {MissingAdapter} when the configuration has none.
 */
export async function emailStore({ settings }: Context): Promise<Store> {
  const store = await settings.store();
  if (!store) throw new MissingAdapter('sign-in by email keeps its tokens in a store. Add an `adapter`');
  return store;
}
