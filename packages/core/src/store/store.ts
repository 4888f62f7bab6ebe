import { AdapterError, errorOf, MissingAdapterMethods } from '../errors.ts';
import type { Log } from '../log/logger.ts';
import { redact } from '../log/redact.ts';
import type { AdapterLike, AdapterMethod } from '../types/adapter.ts';
import type { Awaitable } from '../types/user.ts';
import { keepsPromise, methodNames, methods, missingMethods, requiredMethods, type Store } from './methods.ts';

export type { Store } from './methods.ts';

/** An adapter as a configuration has it: the object, or a function that makes it. */
type ConfiguredAdapter = AdapterLike | (() => Awaitable<AdapterLike>);

/** Facts of a configuration from which the methods follow that it needs. */
interface StoreNeeds {
  readonly strategy: 'jwt' | 'database';
}

/**
 * Wraps the adapter of a configuration.
 *
 * @param needs Checked here only if a function makes the adapter. The check of the configuration includes an adapter
 * that is an object.
 * @throws {AdapterError} if the function fails.
 * @throws {MissingAdapterMethods} if the adapter of the function lacks methods that sessions need.
 */
export async function storeFor(configured: ConfiguredAdapter, needs: StoreNeeds, logger: Log): Promise<Store> {
  return wrap(typeof configured === 'function' ? await makeAdapter(configured, needs) : configured, logger);
}

const made = new WeakMap<() => Awaitable<AdapterLike>, Promise<AdapterLike>>();

/**
 * Makes the adapter once per function, so that configurations that share the function share its pool of connections.
 */
async function makeAdapter(make: () => Awaitable<AdapterLike>, { strategy }: StoreNeeds): Promise<AdapterLike> {
  const making = made.get(make) ?? (async () => make())();
  made.set(make, making);
  try {
    const adapter = await making;
    // Methods that only some providers need are checked when such a provider is used.
    const problem = missingMethods(adapter, requiredMethods([], strategy));
    if (problem) throw problem;
    return adapter;
  } catch (error) {
    if (made.get(make) === making) made.delete(make);
    if (error instanceof MissingAdapterMethods) throw error;
    throw new AdapterError('the adapter could not be made', { err: errorOf(error) });
  }
}

function wrap(adapter: AdapterLike, logger: Log): Store {
  const store: Partial<Record<AdapterMethod, unknown>> = {};
  for (const name of methodNames) {
    if (typeof adapter[name] === 'function') store[name] = wrapMethod(adapter, name, logger);
  }
  return { ...store, sessionRecords: adapter.sessionRecords } as Store;
}

function wrapMethod(
  adapter: Partial<Record<AdapterMethod, unknown>>,
  name: AdapterMethod,
  logger: Log,
): (...args: unknown[]) => Promise<unknown> {
  return async (...args) => {
    logger.debug('store', `adapter_${name}`, () => redact({ args: methods[name].takesToken ? ['[redacted]'] : args }));
    try {
      // Read and called as a member: an application may replace it, and methods of a class instance need their `this`.
      const result: unknown = await (adapter[name] as Method).apply(adapter, args);
      if (!keepsPromise(name, result)) throw new TypeError('the result is not a row of the store');
      return result;
    } catch (error) {
      const err = errorOf(error);
      // Its message is written for the owner. Other messages may quote rows.
      const isWritten = 'code' in err && err.code === 'ERR_MISSING_TABLE';
      // An adapter writes this message for the owner: it names the table and the remedy. Others may quote rows.
      const words = isWritten ? err.message : `the adapter's \`${name}\` failed`;
      throw new AdapterError(words, { err, method: name });
    }
  };
}

type Method = (...args: unknown[]) => unknown;
