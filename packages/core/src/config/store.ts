import type { Adapter } from '../adapters.ts';
import { attempt } from '../chain.ts';
import { AdapterError, MissingAdapterMethods } from '../errors.ts';
import type { AuthConfig, Awaitable } from '../types.ts';
import { errorOf } from './hooks.ts';
import type { Log } from './logger.ts';
import { redact } from './redact.ts';
import { isAnswer } from './store-answer.ts';

/** The adapter as actions use it: methods bound, failures, thrown or rejected with, as {@link AdapterError}. */
export type Store = {
  readonly [K in keyof Adapter]: NonNullable<Adapter[K]> extends (...args: infer Args) => infer Result
    ? ((...args: Args) => Awaitable<Awaited<Result>>) | undefined
    : never;
};

// A record, so that the compiler misses a method that is not listed.
const METHODS = Object.keys({
  createUser: true,
  getUser: true,
  getUserByEmail: true,
  getUserByAccount: true,
  updateUser: true,
  deleteUser: true,
  linkAccount: true,
  unlinkAccount: true,
  getAccount: true,
  createSession: true,
  getSessionAndUser: true,
  updateSession: true,
  deleteSession: true,
  createVerificationToken: true,
  useVerificationToken: true,
  createAuthenticator: true,
  getAuthenticator: true,
  listAuthenticatorsByUserId: true,
  updateAuthenticatorCounter: true,
  updateAccount: true,
  createUserWithAccount: true,
  replaceSession: true,
  extendSession: true,
  spendOnce: true,
  cleanup: true,
} satisfies Record<keyof Adapter, true>) as (keyof Adapter)[];

/** Methods whose first argument is a session token as it stands, under no name that tells so. */
const BY_TOKEN: ReadonlySet<keyof Adapter> = new Set<keyof Adapter>(['getSessionAndUser', 'deleteSession']);

/**
 * The data layer of a configuration; `undefined` without an adapter.
 *
 * @throws {AdapterError} when the adapter cannot be made.
 * @throws {MissingAdapterMethods} when the one that was made lacks methods.
 */
export async function storeFor(config: AuthConfig, logger: Log): Promise<Store | undefined> {
  const { adapter } = config;
  if (!adapter) return undefined;
  if (typeof adapter !== 'function') return storeOf(adapter, logger);
  const { lackingMethods } = await import('./check-adapter.ts');
  return storeOf(await makeAdapter(adapter, (candidate) => lackingMethods(candidate, config)), logger);
}

/** Wraps an adapter. Methods of a class instance keep their `this`; answers that name nobody count as failures. */
function storeOf(adapter: Adapter, logger: Log): Store {
  const store: Record<string, unknown> = {};
  for (const name of METHODS) {
    if (typeof adapter[name] !== 'function') continue;
    const failed = (error: unknown): never => {
      throw new AdapterError(`the adapter's \`${name}\` failed`, { err: errorOf(error), method: name });
    };
    store[name] = (...args: unknown[]): unknown => {
      logger.debug(`adapter_${name}`, () => redact({ args: BY_TOKEN.has(name) ? ['[redacted]'] : args }));
      return attempt(
        () => (adapter[name] as (...args: unknown[]) => unknown).apply(adapter, args),
        (answer) => (isAnswer(name, answer) ? answer : failed(new TypeError('this is no row of a store'))),
        failed,
      );
    };
  }
  return store as Store;
}

const made = new WeakMap<() => Awaitable<Adapter>, Promise<Adapter>>();

/**
 * Makes the adapter of a configuration that has a function there; once per function, again after a failure.
 *
 * @throws {MissingAdapterMethods} when `missing` names methods that it lacks.
 */
async function makeAdapter(
  make: () => Awaitable<Adapter>,
  missing: (adapter: Adapter) => readonly string[],
): Promise<Adapter> {
  const known = made.get(make);
  if (known) return known;
  const making = (async () => make())();
  made.set(make, making);
  try {
    const adapter = await making;
    const lacking = missing(adapter);
    if (lacking.length > 0)
      throw new MissingAdapterMethods(
        `the adapter lacks methods that this configuration needs: ${lacking.join(', ')}. Use an adapter that has them`,
      );
    return adapter;
  } catch (error) {
    made.delete(make);
    if (error instanceof MissingAdapterMethods) throw error;
    throw new AdapterError('the adapter could not be made', { err: errorOf(error) });
  }
}
