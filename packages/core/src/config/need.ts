import { MissingAdapterMethods } from '../errors.ts';
import type { Store } from './store.ts';

type Method<K extends keyof Store> = NonNullable<Store[K]>;

/**
 * A method of the store that the flow at hand cannot do without.
 *
 * @throws {MissingAdapterMethods} when the adapter has none of this name.
 */
export function need<K extends keyof Store>(store: Store, name: K): Method<K> {
  const method = store[name];
  if (!method)
    throw new MissingAdapterMethods(
      `the adapter has no \`${name}\`, which this flow needs. Use an adapter that has it`,
    );
  return method as Method<K>;
}
